import { createHash } from "node:crypto";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE as engine } from "../scripts/engine.mjs";
import { amneziaUp, askEngine } from "./amnezia-client.ts";
import { type Device, newDevice, newInterface } from "./club-wire.ts";
import { sendEverywhere } from "./leaks.ts";
import type { Started } from "./namespace.ts";
import * as lab from "./network.ts";

/*
 * The engine's own network, on a machine without privileges: an ordinary user without a capability, no /dev/net/tun, no forwarding.
 * Devices use wireguard-go. The machine itself reaches every forbidden place, so silence proves the rules.
 */
const tunnel = newInterface("wg0", 51820);
const anna = newDevice(tunnel, 2);
const boris = newDevice(tunnel, 3);
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
const TARGET_V6 = `http://[${lab.TARGET_ADDRESS_V6}]/`;
const HOST_V6 = "2001:db8:113::1";
/** setpriv's options for an ordinary user. */
const NOBODY = ["--reuid=1000", "--regid=1000", "--clear-groups", "--no-new-privs", "--bounding-set=-all"];
const SECOND = "203.0.113.13";
/** A device starts a handshake 15 s after its last unanswered packet, then every 5 s. */
const DEVICE_PATIENCE_MS = 40_000;

const settings = {
  addresses: tunnel.addresses,
  mtu: 1420,
  closedNetworks: CLOSED_NETWORKS.map(({ cidr }) => cidr),
  closedTcpPorts: [25],
  openPorts: [{ protocol: "tcp", port: 443 }],
  nameServers: [lab.HOST_ADDRESS],
  access: { everyone: { allowed: [] as string[], denied: [] as string[] }, groups: [] as unknown[] },
};

let network: lab.LabNetwork;
let running: Started;
const tunnels: lab.Tunnel[] = [];
const client = (place = 0) => network.clients[place]!;
const ask = (question: string) => askEngine(network.host, "wg0", question, "wireguard");
const set = async (line: string) => ask(`network=1\n${line}\n\n`);
const apply = async (change: object = {}) =>
  expect(await set(JSON.stringify({ ...settings, ...change }))).toBe("errno=0\n\n");
const reaches = async (url: string, place = 0) => (await lab.fetchFrom(client(place), url)) !== null;
const pings = async (address: string, place = 0) =>
  (await client(place).attempt("ping", ["-n", "-c", "1", "-W", "1", address])).exitCode === 0;
const talk = async (args: string[], place = 0) => {
  const talker = await lab.startScript(client(place), "./talker.ts", args);
  return { output: talker.output, ended: new Promise<void>((resolve) => talker.process.once("exit", () => resolve())) };
};
const hold = async (address: string, place = 0) => {
  const held = await talk(["hold", address, "7000"], place);
  await lab.until("it is held", () => held.output() === "held\n");
  return held;
};

/** Its connections to the target's port. */
const tcpOfMachine = async (port: number) =>
  (await network.host.exec("ss", ["-Htn", "state", "established", `dport = ${port}`])).split("\n").filter(Boolean)
    .length;

async function setPeers(...devices: Device[]): Promise<void> {
  const peers = devices.map(
    ({ peer }) =>
      `[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps.join(", ")}\n`,
  );
  const own = `[Interface]\nPrivateKey = ${tunnel.privateKey}\nListenPort = ${tunnel.listenPort}\n`;
  await network.host.exec("bash", ["-c", "wg syncconf wg0 <(cat)"], { stdin: own + peers.join("") });
}

async function connectBoth(): Promise<void> {
  for (const [place, { file }] of [anna, boris].entries())
    tunnels[place] = await lab.tunnelUp(network, client(place), file);
}

async function startEngine(): Promise<void> {
  const run = [engine, "--foreground", "--type", "wireguard", "--userspace-networking", "wg0"];
  running = await network.host.start("setpriv", [...NOBODY, ...run]);
  await lab.until("the engine answers", () => ask("get=1\n\n"));
}

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 2 });
  const { host, target, privateNetwork } = network;
  await host.exec("mount", ["-t", "tmpfs", "tmpfs", "/dev/net"]);
  await host.exec("chown", ["1000", "/run/wireguard"]);
  await target.exec("ip", ["address", "add", `${SECOND}/24`, "dev", "eth0"]);
  await Promise.all([
    startEngine(),
    lab.startServices(target, { tcp: [80, 25], udp: [5000] }),
    lab.startServices(privateNetwork),
    lab.startServices(host, { tcp: [80, 443, 53] }),
    lab.startScript(target, "./talker.ts", ["serve", "7000"]),
  ]);
  await setPeers(anna, boris);
  await connectBoth();
});
afterAll(() => network?.close());

test("before the first settings a device gets its handshake and nothing else", async () => {
  await lab.until("a handshake", async () =>
    (await network.host.exec("wg", ["show", "wg0", "latest-handshakes"]))
      .split("\n")
      .every((line) => !line.endsWith("\t0")),
  );
  expect(await reaches(TARGET)).toBe(false);
  expect(await pings(lab.TARGET_ADDRESS)).toBe(false);
  expect(await pings("10.8.0.1")).toBe(false);
  expect(await ask("network?=1\n\n")).toMatch(/^sha256=\nspeeds=\nflows=0\nmemory=\d{6,}\nerrno=0\n\n$/);
});

test("invalid settings change nothing", async () => {
  for (const wrong of [
    "",
    "{",
    "[]",
    "{}",
    JSON.stringify({ ...settings, mtu: 0 }),
    JSON.stringify({ ...settings, closedNetworks: undefined }),
    JSON.stringify({ ...settings, access: { everyone: settings.access.everyone } }),
    JSON.stringify({ ...settings, unknown: 1 }),
    JSON.stringify({ ...settings, closedNetworks: ["10.0.0.0/33"] }),
    JSON.stringify({ ...settings, openPorts: [{ protocol: "icmp", port: 1 }] }),
    JSON.stringify({ ...settings, nameServers: ["dns.example"] }),
    `${JSON.stringify(settings)} {}`,
    JSON.stringify({ ...settings, nameServers: Array(700_000).fill("192.0.2.53") }),
  ])
    expect([wrong.slice(0, 40), await set(wrong)]).toEqual([wrong.slice(0, 40), "errno=-22\n\n"]);
  expect(await reaches(TARGET)).toBe(false);
  await apply();
  expect(await ask("network?=1\n\n")).toContain(
    `sha256=${createHash("sha256").update(JSON.stringify(settings)).digest("hex")}\n`,
  );
});

describe("with settings", () => {
  beforeAll(() => apply());

  test("TCP and UDP reach the internet as the machine, by IPv4 and IPv6", async () => {
    expect(await lab.fetchFrom(client(), TARGET)).toContain(`target sees ::ffff:${lab.HOST_SECOND_ADDRESS}`);
    expect(await lab.fetchFrom(client(), TARGET_V6)).toContain(`target sees ${HOST_V6}`);
    expect(await lab.fetchFrom(client(), `${TARGET}?bytes=5000000`, 60)).toHaveLength(5_000_000 + 31);
    const sent = "echo".repeat(900);
    const echo = `exec 3<>/dev/udp/${lab.TARGET_ADDRESS}/5000; printf %s "$0" >&3; timeout 20 head -c 3600 <&3`;
    expect(await client().exec("bash", ["-c", echo, sent])).toBe(sent);
  });

  test("pings are answered by their destination, or not at all", async () => {
    const everybody = [lab.TARGET_ADDRESS, lab.TARGET_ADDRESS_V6, lab.HOST_ADDRESS, HOST_V6];
    const allow = (range: string) => network.host.exec("sysctl", ["-q", "-w", `net.ipv4.ping_group_range=${range}`]);
    await allow("1 0");
    expect(await pings("10.8.0.1")).toBe(true);
    expect(await Promise.all(everybody.map((each) => pings(each)))).toEqual(everybody.map(() => false));
    await allow("1000 1000");
    expect(await Promise.all(everybody.map((each) => pings(each)))).toEqual(everybody.map(() => true));
    expect(await pings("203.0.113.77")).toBe(false);
    expect(await pings(lab.PRIVATE_ADDRESS)).toBe(false);
  });

  test("what is closed stays closed, though the machine itself reaches it", async () => {
    const closed = [
      `http://${lab.PRIVATE_ADDRESS}/`,
      `http://[${lab.PRIVATE_ADDRESS_V6}]/`,
      `http://${lab.METADATA_ADDRESS}/`,
      `http://${lab.TARGET_ADDRESS}:25/`,
      ...[lab.HOST_ADDRESS, lab.HOST_SECOND_ADDRESS, `[${HOST_V6}]`].map((own) => `http://${own}/`),
      `http://${lab.HOST_SECOND_ADDRESS}:53/`,
    ];
    for (const url of closed) expect([url, await lab.fetchFrom(network.host, url)]).toEqual([url, expect.anything()]);
    expect(await Promise.all(closed.map((url) => reaches(url)))).toEqual(closed.map(() => false));
    // The engine's own addresses, and other devices' and own addresses in the tunnel, which would otherwise be the machine's loopback.
    for (const inside of ["127.0.0.1", "10.8.0.1", "10.8.0.3", "[::1]", "[::ffff:127.0.0.1]", "[fd00:ca6c::1]"])
      expect([inside, await reaches(`http://${inside}:443/`)]).toEqual([inside, false]);
    for (const open of [`${lab.HOST_ADDRESS}:443`, `[${HOST_V6}]:443`, `${lab.HOST_ADDRESS}:53`])
      expect([open, await reaches(`http://${open}/`)]).toEqual([open, true]);
  });

  test("a closed port refuses here too, and an address without a machine is unreachable", async () => {
    const why = async (url: string) =>
      (await client().attempt("curl", ["-sS", "--noproxy", "*", "--max-time", "8", url])).stderr;
    for (const address of [lab.TARGET_ADDRESS, `[${lab.TARGET_ADDRESS_V6}]`])
      expect(await why(`http://${address}:81/`)).toMatch(/refused|Couldn't connect/);
    for (const address of ["203.0.113.77", "[2001:db8:113::77]"])
      expect(await why(`http://${address}/`)).toMatch(/No route to host|Couldn't connect/);
    const ask = `exec 3<>/dev/udp/${lab.TARGET_ADDRESS}/5001; echo one >&3; sleep 0.5; echo two >&3`;
    expect((await client().attempt("bash", ["-c", ask])).stderr).toContain("Connection refused");
  });

  test("access rules decide by member and network, exceptions first, and end what they forbid", async () => {
    const forAnna = (denied: string[], allowed: string[] = []) => ({
      access: { everyone: { allowed: [], denied: [] }, groups: [{ allowed, denied, sources: [anna.address] }] },
    });
    const held = await hold(lab.TARGET_ADDRESS);
    const other = await hold(SECOND);
    await apply(forAnna([`${lab.TARGET_ADDRESS}/32`]));
    await held.ended;
    expect(held.output()).toBe("held\nerror ECONNRESET\n");
    expect(other.output()).toBe("held\n");
    expect([await reaches(TARGET), await reaches(TARGET, 1)]).toEqual([false, true]);
    await apply(forAnna(["203.0.113.0/24"], [`${lab.TARGET_ADDRESS}/32`]));
    expect([await reaches(TARGET), await reaches(`http://${SECOND}/`)]).toEqual([true, false]);
    await apply({
      access: { everyone: { allowed: [lab.TARGET_ADDRESS], denied: ["0.0.0.0/0"] }, groups: [] },
    });
    expect([await reaches(TARGET, 1), await reaches(`http://${SECOND}/`, 1)]).toEqual([true, false]);
    await apply();
  });

  test("a conversation ends as either end decides: one side first, or in the middle", async () => {
    const half = await talk(["half", lab.TARGET_ADDRESS, "7000"]);
    await half.ended;
    expect(half.output()).toBe("heard 300000\n");
    const cut = await talk(["reset", lab.TARGET_ADDRESS, "7000"]);
    await cut.ended;
    expect(cut.output()).toBe("error ECONNRESET\n");
    await lab.until("nothing is left of them", async () => (await tcpOfMachine(7000)) === 0);
  });

  test("a removed device's conversations end at once, and nobody else's", async () => {
    await hold(lab.TARGET_ADDRESS);
    expect(await tcpOfMachine(7000)).toBe(1);
    await setPeers(boris);
    await lab.until("it is over for the target too", async () => (await tcpOfMachine(7000)) === 0, 1_000);
    expect([await reaches(TARGET), await reaches(TARGET, 1)]).toEqual([false, true]);
    await setPeers(anna, boris);
    await tunnels[0]?.again();
    await lab.until("it is back", () => reaches(TARGET));
  });

  test("a device that opens more than its share loses its own oldest, and others are not affected", async () => {
    const theirs = await hold(lab.TARGET_ADDRESS, 1);
    const flood = await talk(["flood", lab.TARGET_ADDRESS, "7000", "1300"]);
    await lab.until("all were reached", () => flood.output().includes("reached 1300"), 60_000);
    expect(await tcpOfMachine(7000)).toBe(1 + 1_024);
    expect(await reaches(TARGET, 1)).toBe(true);
    expect(theirs.output()).toBe("held\n");
    await setPeers(boris);
    await lab.until("all are over", async () => (await tcpOfMachine(7000)) === 1);
    expect(theirs.output()).toBe("held\n");
  });

  test("the first connection after each new handshake is answered at once", async () => {
    const answers = [];
    for (let round = 0; round < 6; round += 1) {
      await tunnels[1]?.again();
      answers.push(await reaches(TARGET, 1));
    }
    expect(answers).toEqual(answers.map(() => true));
  });

  test("devices' traffic is counted to the byte, for each device separately", async () => {
    const counted = async () =>
      (await network.host.exec("wg", ["show", "wg0", "transfer"]))
        .trim()
        .split("\n")
        .map((line) => line.split("\t"))
        .map(([key = "", rx, tx]) => ({ key, rxBytes: Number(rx), txBytes: Number(tx) }))
        .sort((one, other) => one.key.localeCompare(other.key));
    const atDevices = async () => {
      const seen = await Promise.all(
        [anna, boris].map(async ({ peer }, place) => {
          const { rxBytes, txBytes } = await tunnels[place]!.state();
          return { key: peer.publicKey, rxBytes: txBytes, txBytes: rxBytes };
        }),
      );
      return seen.sort((one, other) => one.key.localeCompare(other.key));
    };
    for (const each of tunnels) await each.down();
    await setPeers();
    await setPeers(anna, boris);
    await connectBoth();
    const quiet = async () => {
      let before = "";
      return lab.until("the tunnels are quiet", async () => {
        const ends = [await counted(), await atDevices()] as const;
        const now = JSON.stringify(ends);
        const isQuiet = now === before;
        before = now;
        return isQuiet ? ends : null;
      });
    };
    type Counted = Awaited<ReturnType<typeof counted>>;
    const since = (now: Counted, then: Counted) =>
      now.map(({ key, rxBytes, txBytes }, at) => ({
        key,
        rxBytes: rxBytes - (then[at]?.rxBytes ?? 0),
        txBytes: txBytes - (then[at]?.txBytes ?? 0),
      }));
    const bytes = { anna: 300_000, boris: 600_000, upload: 150_000 };
    const upload = ["--silent", "--fail", "--noproxy", "*", "--data-binary", "@-", TARGET];
    // A busy machine loses packets in between, which only their sender has counted. Then the test repeats.
    const ROUNDS = 10;
    for (let round = 1; ; round++) {
      const then = await quiet();
      expect(await lab.fetchFrom(client(), `${TARGET}?bytes=${bytes.anna}`, 10)).toHaveLength(bytes.anna + 31);
      expect(await lab.fetchFrom(client(1), `${TARGET}?bytes=${bytes.boris}`, 10)).toHaveLength(bytes.boris + 31);
      await client().exec("curl", upload, { stdin: "x".repeat(bytes.upload) });
      const now = await quiet();
      const [engine, devices] = [since(now[0], then[0]), since(now[1], then[1])];
      for (const [at, { rxBytes, txBytes }] of engine.entries()) {
        expect(rxBytes).toBeLessThanOrEqual(devices[at]?.rxBytes ?? 0);
        expect(txBytes).toBeGreaterThanOrEqual(devices[at]?.txBytes ?? 0);
      }
      const of = ({ peer }: Device) => engine.find(({ key }) => key === peer.publicKey)!;
      expect(of(anna).rxBytes).toBeGreaterThan(bytes.upload);
      expect(of(anna).txBytes).toBeGreaterThan(bytes.anna);
      expect(of(boris).txBytes).toBeGreaterThan(bytes.boris);
      expect(of(boris).rxBytes).toBeLessThan(bytes.upload);
      if (JSON.stringify(engine) === JSON.stringify(devices) || round === ROUNDS) {
        expect(engine).toEqual(devices);
        break;
      }
    }
  });

  test("with the engine killed nothing passes, nor before the settings of the next one; nothing ever leaks", async () => {
    await apply({ access: { everyone: { allowed: [], denied: [`${SECOND}/32`] }, groups: [] } });
    const leaks = await sendEverywhere(
      client(),
      network.target,
      {
        "another member": { at: client(1) },
        "the private network": { at: network.privateNetwork },
        "a place that is banned": { at: network.target, address: SECOND },
        "the machine itself": { at: network.host },
      },
      [
        ...[SECOND, boris.address, "fd00:ca6c::3", lab.PRIVATE_ADDRESS, lab.PRIVATE_ADDRESS_V6, lab.HOST_ADDRESS],
        ...[lab.HOST_SECOND_ADDRESS, HOST_V6, "10.8.0.1", "fd00:ca6c::1", "192.168.77.1"],
      ],
    );
    await leaks.goesOn("packets reach the target");
    await running.kill("SIGKILL");
    await startEngine();
    const before = leaks.arrived();
    await setPeers(anna, boris);
    const handshakes = ["show", "wg0", "latest-handshakes"];
    await lab.until(
      "a handshake with the new one",
      async () => !(await network.host.exec("wg", handshakes)).includes(`${anna.peer.publicKey}\t0`),
      DEVICE_PATIENCE_MS,
    );
    await pings(lab.TARGET_ADDRESS);
    expect(leaks.arrived()).toBe(before);
    await apply({ access: { everyone: { allowed: [], denied: [`${SECOND}/32`] }, groups: [] } });
    await leaks.goesOn("the internet is reached again");
    expect(leaks.leaked()).toEqual([]);
  });

  test("it stops on request", async () => {
    expect(await ask("stop=1\n\n")).toBe("errno=0\n\n");
    await lab.until("it ended", () => running.process.exitCode !== null);
    expect(running.process.exitCode).toBe(0);
  });

  test("AmneziaWG has the same network", async () => {
    const { host } = network;
    await host.exec("install", ["-d", "-o", "1000", "/run/amneziawg"]);
    await host.start("setpriv", [...NOBODY, engine, "--foreground", "--userspace-networking", "awg0"]);
    await lab.until("the engine answers", () => askEngine(host, "awg0", "get=1\n\n"));
    const hex = (key: string | null | undefined) => Buffer.from(key ?? "", "base64").toString("hex");
    const lines = [
      ...["set=1", `private_key=${hex(tunnel.privateKey)}`, "listen_port=51821", "jc=3", "jmin=40", "jmax=50"],
      ...["h1=11", "h2=12", "h3=13", "h4=14", `public_key=${hex(anna.peer.publicKey)}`],
      ...[`preshared_key=${hex(anna.peer.presharedKey)}`, ...anna.peer.allowedIps.map((each) => `allowed_ip=${each}`)],
    ];
    expect(await askEngine(host, "awg0", `${lines.join("\n")}\n\n`)).toBe("errno=0\n\n");
    expect(await askEngine(host, "awg0", `network=1\n${JSON.stringify(settings)}\n\n`)).toBe("errno=0\n\n");
    await tunnels[0]?.down();
    const profile = "Jc = 3\nJmin = 40\nJmax = 50\nH1 = 11\nH2 = 12\nH3 = 13\nH4 = 14\n";
    const file = anna.file.replace("[Peer]", `${profile}[Peer]`).replace(":51820", ":51821");
    await amneziaUp(client(), engine, file, "krug-awg");
    await lab.until("a page", () => reaches(TARGET));
    expect(await pings(lab.TARGET_ADDRESS)).toBe(true);
  });
});
