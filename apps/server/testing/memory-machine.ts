import { reason } from "@krug/domain/reasons";
import { type TunnelProtocol, WIREGUARD } from "@krug/wireguard/protocol";
import { type Machine, NobodyAnswers, NoLonger, ProgramFailed } from "../src/hosts/machine.ts";
import { PASS_MARK } from "../src/hosts/routing-guard.ts";

interface Tunnel {
  /** The kernel's index of the link. */
  index: number;
  privateKey: string;
  listenPort: string;
  /** Of the protocol's own fields. */
  parameters: Map<string, string>;
  isUp: boolean;
  mtu: number;
  addresses: string[];
  /** By public key: its columns in `wg show dump` behind the key. */
  peers: Map<string, string[]>;
}

/** Runs one program; returns its output. */
type Program = (args: readonly string[], stdin: string) => string;

/** An in-memory machine with as much of `ip`, `wg` and `nft` as the driver uses, and the kernel's own WireGuard. */
export interface MemoryMachine extends Machine {
  readonly tunnels: Map<string, Tunnel>;
  /** The commands that ran, as a shell would show them; standard input is left out. */
  readonly commands: string[];
  readonly files: Map<string, string>;
  /** Called before each command: throws instead of it, or answers `after`, which is thrown once it is done. */
  trouble: (command: string) => { after: Error } | undefined;
  use(publicKey: string, rxBytes: number, txBytes: number): void;
}

/** `publicKeyOf` is a parameter, so that this file needs no keys of its own. */
export function makeMemoryMachine(
  publicKeyOf: (privateKey: string) => string,
  protocol: TunnelProtocol = WIREGUARD,
): MemoryMachine {
  const ofTunnels = protocol.program ?? "wg";
  const tunnels = new Map<string, Tunnel>();
  let lastIndex = 1;
  let table = "";
  let guards: { priority: number; iif: string; fwmask: string; action: string }[] = [];
  const files = new Map([
    ["/proc/sys/kernel/ostype", "Linux\n"],
    ["/proc/sys/kernel/random/boot_id", "8a1b7c3e-0000-4000-8000-000000000001\n"],
    ["/proc/self/status", "CapEff:\t000001ffffffffff\n"],
    ["/proc/sys/net/ipv4/ip_forward", "1\n"],
    ["/proc/sys/net/ipv4/conf/all/src_valid_mark", "1\n"],
  ]);
  const no = (program: string, said: string): never => {
    throw new ProgramFailed(program, "failed", 1, said);
  };
  const tunnel = (name = "") => tunnels.get(name) ?? no(ofTunnels, "No such device");
  const remember = (peer: string, presharedKey: string, allowedIps: string, of: Tunnel) => {
    const before = of.peers.get(peer) ?? [];
    of.peers.set(peer, [
      presharedKey,
      "(none)",
      allowedIps,
      ...(before.slice(3).length ? before.slice(3) : ["0", "0", "0", "off"]),
    ]);
  };
  /** As `wg` does, it adds a peer that is not there: one may be silenced after a round has removed it. */
  const silence = (peer: string, of: Tunnel) => {
    const [presharedKey = "(none)", endpoint = "(none)", , ...counters] = of.peers.get(peer) ?? [];
    of.peers.set(peer, [
      ...[presharedKey, endpoint, "(none)"],
      ...(counters.length > 0 ? counters : ["0", "0", "0", "off"]),
    ]);
  };
  const dump = (name: string, { privateKey, listenPort, parameters, peers }: Tunnel, isAll: boolean) => {
    const start = isAll ? [name] : [];
    const publicKey = privateKey === "" ? "(none)" : publicKeyOf(privateKey);
    const fields = protocol.fields.map((field) => parameters.get(field.name) ?? field.initial);
    const head = [...start, privateKey || "(none)", publicKey, listenPort, ...fields, "off"];
    return [head, ...[...peers].map(([key, columns]) => [...start, key, ...columns])]
      .map((row) => `${row.join("\t")}\n`)
      .join("");
  };

  const programs: Record<string, Program> = {
    [ofTunnels]([verb, name, ...args], stdin) {
      if (verb === "show" && name === "interfaces") return [...tunnels.keys()].join(" ");
      if (verb === "show" && name === "all") return [...tunnels].map(([each, it]) => dump(each, it, true)).join("");
      const it = tunnel(name);
      if (verb === "show") return dump(name ?? "", it, false);
      if (verb === "addconf") {
        for (const text of stdin.split("[Peer]").slice(1)) {
          const field = (key: string) => new RegExp(`^${key} = (.*)$`, "m").exec(text)?.[1] ?? "";
          remember(field("PublicKey"), field("PresharedKey"), field("AllowedIPs") || "(none)", it);
        }
        return "";
      }
      for (let at = 0; at < args.length; ) {
        const [key, value = "", action] = args.slice(at);
        if (key === "peer" && action === "remove") it.peers.delete(value);
        if (key === "peer" && action === "allowed-ips") silence(value, it);
        if (key === "listen-port") it.listenPort = value;
        if (key === "private-key") it.privateKey = stdin.trim();
        if (protocol.fields.some((field) => field.name === key)) it.parameters.set(key ?? "", value);
        at += key !== "peer" ? 2 : action === "allowed-ips" ? 4 : 3;
      }
      return "";
    },
    ip(args) {
      const command = args.join(" ");
      const [, verb, , name = "", what, value = ""] = args;
      if (command === "-j address show")
        return JSON.stringify(
          [...tunnels].map(([ifname, { index, mtu, isUp, addresses }]) => ({
            ifname,
            ifindex: index,
            mtu,
            flags: isUp ? ["UP"] : [],
            addr_info: addresses.map((each) => ({ local: each.split("/")[0], prefixlen: Number(each.split("/")[1]) })),
          })),
        );
      if (command.includes("route")) return "[]";
      if (command.endsWith("rule show")) return JSON.stringify([...guards, { priority: 0, table: "local" }]);
      if (verb === "rule") {
        const iif = args[args.indexOf("iif") + 1] ?? "";
        if (command.includes("blackhole")) guards = guards.filter((guard) => guard.iif !== iif);
        if (command.includes("blackhole") && args[2] === "add")
          guards.push({ priority: 0, iif, fwmask: String(PASS_MARK), action: "blackhole" });
        return "";
      }
      if (verb === "add")
        tunnels.set(name, {
          index: ++lastIndex,
          privateKey: "",
          listenPort: "0",
          parameters: new Map(),
          isUp: false,
          mtu: 1500,
          addresses: [],
          peers: new Map(),
        });
      if (verb === "delete") tunnels.delete(name);
      if (verb === "set" && what === "up") tunnel(name).isUp = true;
      if (verb === "set" && what === "mtu") tunnel(name).mtu = Number(value);
      if (verb === "replace") tunnel(args[4]).addresses.push(args[2] ?? "");
      return "";
    },
    nft(args, stdin) {
      if (args.includes("krug_speed")) return no("nft", "No such file or directory");
      if (args[0] === "-f") table = stdin;
      if (args[0] === "delete") table = "";
      if (args.includes("chains")) return JSON.stringify({ nftables: [] });
      if (args.includes("krug") && args.includes("list") && table === "") return no("nft", "No such file or directory");
      if (args.includes("--terse")) return table.replace(/^ *elements = .*\n/gm, "");
      if (args.includes("list")) return table;
      return "";
    },
  };

  const machine: MemoryMachine = {
    tunnels,
    files,
    commands: [],
    trouble: () => undefined,
    use(publicKey, rxBytes, txBytes) {
      for (const { peers } of tunnels.values()) peers.get(publicKey)?.splice(4, 2, String(rxBytes), String(txBytes));
    },
    async run(program, args, { stdin = "", only } = {}) {
      if (only && (await machine.identify(only.path)) !== only.identity) throw new NoLonger(only.path);
      const command = [program, ...args].join(" ");
      const trouble = machine.trouble(command);
      machine.commands.push(command);
      const answer = (programs[program] ?? no(program, "not found"))(args, stdin);
      if (trouble) throw trouble.after;
      return answer;
    },
    start: async (program) => no(program, "not here"),
    follow: () => ({ stop: () => undefined }),
    findProgram: async (program) => (program in programs ? `/usr/bin/${program}` : null),
    readFile: async (path) => files.get(path) ?? null,
    async writeFile(path, text) {
      files.set(path, text);
    },
    listFolder: async () => [],
    canWrite: async (path) => files.has(path),
    async identify(path) {
      const name = /^\/sys\/class\/net\/(.*)$/.exec(path)?.[1] ?? "";
      return tunnels.has(name) ? name : null;
    },
    ask: async (path) => {
      throw new NobodyAnswers("refused", reason("call.nobody", { path }));
    },
  };
  return machine;
}
