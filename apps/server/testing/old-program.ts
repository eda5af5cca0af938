import { generateKeyPair, type KeyPair } from "@krug/wireguard/keys";
import type { FakeVps } from "./fake-remotes.ts";

const line = (word: string, ...fields: string[]) => `${[word, ...fields].join("\t")}\n`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

export interface OldDevice {
  name: string;
  keys: KeyPair;
  isOff?: boolean;
}

/** As old-programs.sh finds, stops and starts it on a machine over SSH. */
export function runOldProgram(vps: FakeVps, devices: readonly OldDevice[], by: "quick" | "container" = "quick") {
  const own = generateKeyPair();
  const name = by === "quick" ? "wg7" : "wg-easy";
  const addressOf = (at: number) => `10.9.0.${at + 2}`;
  const program = {
    own,
    name,
    isRunning: true,
    /** It starts with the machine. */
    isEnabled: true,
    removesItself: false,
    calls: [] as string[],
    /** Called before and after each of its verbs has had its effect. */
    at: async (_moment: string): Promise<void> => {},
    /** What `look` prints instead. */
    prints: null as string | null,
    peers: () =>
      devices
        .filter(({ isOff }) => isOff !== true)
        .map(({ keys: { publicKey } }, at) => ({
          publicKey,
          presharedKey: null,
          allowedIps: [`${addressOf(at)}/32`],
          hasEndpoint: true,
          lastHandshakeAt: null,
          rxBytes: 0,
          txBytes: 0,
          persistentKeepalive: null,
        })),
  };
  const config = `[Interface]\nPrivateKey = ${own.privateKey}\nAddress = 10.9.0.1/24\nListenPort = 51900\nPostUp = true\n${devices
    .map(
      ({ name, keys }, at) => `\n# ${name}\n[Peer]\nPublicKey = ${keys.publicKey}\nAllowedIPs = ${addressOf(at)}/32\n`,
    )
    .join("")}`;
  const easy = JSON.stringify({
    server: { privateKey: own.privateKey, publicKey: own.publicKey, address: "10.9.0.1" },
    clients: Object.fromEntries(
      devices.map(({ name, keys, isOff }, at) => [
        `id-${at}`,
        { ...keys, name, address: addressOf(at), preSharedKey: "", enabled: isOff !== true },
      ]),
    ),
  });
  /** wg-quick's interface is the machine's; a container's is in a network of its own. */
  const up = () => {
    program.isRunning = true;
    if (by === "container") return void vps.host.foreign.udpPorts.push(51900);
    if (vps.host.interfaces.has("wg7")) return;
    vps.host.interfaces.set("wg7", {
      name: "wg7",
      publicKey: own.publicKey,
      listenPort: 51900,
      type: "wireguard",
      fwmark: null,
      peers: program.peers(),
    });
  };
  const look = () =>
    by === "quick"
      ? line("quick", "wg-quick", name, program.isEnabled ? "enabled" : "disabled", program.isRunning ? "yes" : "no") +
        line("file", "/etc/wireguard/wg7.conf", base64(config))
      : line(
          "container",
          name,
          String(program.isRunning),
          `${program.isEnabled ? "unless-stopped" : "no"}:0`,
          String(program.removesItself),
          "51900/udp=51900 ",
          "WG_PORT=51900",
        ) + line("file", "/etc/wireguard/wg0.json", base64(easy));
  const run = (verb = "", rest: readonly string[] = []): string => {
    if (verb === "look") return program.prints ?? look();
    if (verb === "stop_container") {
      [program.isRunning, program.isEnabled] = [false, false];
      vps.host.foreign.udpPorts.splice(0);
    } else if (verb === "retire_quick") program.isEnabled = false;
    else {
      program.isEnabled = verb === "start_quick" ? rest[2] === "enabled" : rest[1] !== "no";
      if (rest.at(-1) === "yes") up();
    }
    return "";
  };
  vps.programs = async ([verb = "", ...rest]) => {
    program.calls.push([verb, ...rest].join(" "));
    await program.at(`before ${verb}`);
    const said = run(verb, rest);
    await program.at(`after ${verb}`);
    return said;
  };
  up();
  return program;
}
