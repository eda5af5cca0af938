import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createConnection, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { asProgram } from "./as-program.ts";
import { connect, makeNamespace, type Namespace, type Started } from "./namespace.ts";

/*
 *   client 198.51.100.11 ─┐
 *   client 198.51.100.12 ─┴─ internet ── 192.0.2.1 host 203.0.113.1 ── 203.0.113.10 target
 *                                             192.168.77.1 ── 192.168.77.10 private (and 169.254.169.254)
 *
 * `target` has no route back to any tunnel, so an answer proves NAT; `private` has one, so silence proves the firewall.
 * A client reaches `target` through a tunnel only: `internet` has no route there.
 */
export const HOST_ADDRESS = "192.0.2.1";
export const HOST_SECOND_ADDRESS = "203.0.113.1";
export const TARGET_ADDRESS = "203.0.113.10";
export const TARGET_ADDRESS_V6 = "2001:db8:113::10";
export const PRIVATE_ADDRESS = "192.168.77.10";
export const PRIVATE_ADDRESS_V6 = "fd77::10";
export const METADATA_ADDRESS = "169.254.169.254";
/** Of a host with only IPv6. */
export const HOST_ADDRESS_V6 = "2001:db8:2::1";
/** What answers for the internet, to that host. */
export const GATEWAY_V6 = "2001:db8:2::254";

const CLIENTS_V6 = "2001:db8:51::";

export interface LabNetwork {
  internet: Namespace;
  host: Namespace;
  target: Namespace;
  privateNetwork: Namespace;
  clients: Namespace[];
  /** Readable only by us, for files with keys; gone at the end. */
  folder: string;
  close(): Promise<void>;
}

export interface NetworkOptions {
  clients?: number;
  /** Another machine in the host's place. It is not closed with the network. */
  hostOf?: (internet: Namespace) => Promise<Namespace>;
  /** The host has no IPv4, and clients have IPv6 too. */
  onlyV6?: boolean;
}

export async function makeNetwork({
  clients: count = 1,
  hostOf,
  onlyV6 = false,
}: NetworkOptions = {}): Promise<LabNetwork> {
  const made: Namespace[] = [];
  const folder = await mkdtemp(join(tmpdir(), "krug-lab-"));
  await chmod(folder, 0o700);
  const close = async () => {
    await Promise.all(made.map((namespace) => namespace.close()));
    await rm(folder, { recursive: true, force: true });
  };
  const machine = async (name: string) => {
    const namespace = await makeNamespace(name);
    made.push(namespace);
    return namespace;
  };
  try {
    const internet = await machine("internet");
    const [host, target, privateNetwork] = await Promise.all([
      hostOf ? hostOf(internet) : machine("host"),
      machine("target"),
      machine("private"),
    ]);
    const clients = await Promise.all(Array.from({ length: count }, (_, index) => machine(`client-${index + 1}`)));

    await internet.exec("sysctl", ["-q", "-w", "net.ipv4.ip_forward=1"]);
    if (onlyV6) await internet.exec("sysctl", ["-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
    await plugIn(host, { internet, target, privateNetwork }, onlyV6);
    await internet.exec("ip", ["link", "add", "clients", "type", "bridge"]);
    await internet.exec("ip", ["address", "add", "198.51.100.254/24", "dev", "clients"]);
    if (onlyV6) await internet.exec("ip", ["address", "add", `${CLIENTS_V6}254/64`, "dev", "clients", "nodad"]);
    await internet.exec("ip", ["link", "set", "clients", "up"]);
    for (const [index, client] of clients.entries()) {
      await connect(
        { at: internet, name: `client-${index + 1}`, addresses: [] },
        {
          at: client,
          name: "eth0",
          addresses: [`198.51.100.${11 + index}/24`, ...(onlyV6 ? [`${CLIENTS_V6}${11 + index}/64`] : [])],
        },
      );
      await internet.exec("ip", ["link", "set", `client-${index + 1}`, "master", "clients"]);
      await client.exec("ip", ["route", "add", "default", "via", "198.51.100.254"]);
      if (onlyV6) await client.exec("ip", ["-6", "route", "add", "default", "via", `${CLIENTS_V6}254`]);
    }
    return { internet, host, target, privateNetwork, clients, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The host's cables. After its restart, new ones replace the old. */
export async function plugIn(
  host: Namespace,
  { internet, target, privateNetwork }: Pick<LabNetwork, "internet" | "target" | "privateNetwork">,
  onlyV6 = false,
): Promise<void> {
  /** A host with only IPv6 does not get the others. */
  const ofHost = (addresses: string[]) => addresses.filter((address) => !onlyV6 || address.includes(":"));
  // The kernel removes the far ends of a machine that has ended, but takes its time.
  await Promise.all([
    internet.attempt("ip", ["link", "delete", "to-host"]),
    target.attempt("ip", ["link", "delete", "eth0"]),
    privateNetwork.attempt("ip", ["link", "delete", "eth0"]),
  ]);
  await connect(
    { at: internet, name: "to-host", addresses: ["192.0.2.254/24", ...(onlyV6 ? [`${GATEWAY_V6}/64`] : [])] },
    { at: host, name: "eth0", addresses: [onlyV6 ? `${HOST_ADDRESS_V6}/64` : `${HOST_ADDRESS}/24`] },
  );
  if (onlyV6) await host.exec("ip", ["-6", "route", "replace", "default", "via", GATEWAY_V6]);
  else await host.exec("ip", ["route", "replace", "default", "via", "192.0.2.254"]);
  await connect(
    { at: target, name: "eth0", addresses: [`${TARGET_ADDRESS}/24`, `${TARGET_ADDRESS_V6}/64`] },
    { at: host, name: "eth1", addresses: ofHost([`${HOST_SECOND_ADDRESS}/24`, "2001:db8:113::1/64"]) },
  );
  await connect(
    {
      at: privateNetwork,
      name: "eth0",
      addresses: [`${PRIVATE_ADDRESS}/24`, `${PRIVATE_ADDRESS_V6}/64`, `${METADATA_ADDRESS}/32`],
    },
    { at: host, name: "eth2", addresses: ofHost(["192.168.77.1/24", "fd77::1/64"]) },
  );
  await privateNetwork.exec("ip", ["route", "add", "default", "via", "192.168.77.1"]);
  await privateNetwork.exec("ip", ["-6", "route", "add", "default", "via", "fd77::1"]);
  if (!onlyV6) await host.exec("ip", ["route", "replace", `${METADATA_ADDRESS}/32`, "dev", "eth2"]);
}

/** Starts a program of this folder there; `by` is a program that starts it, e.g. ["setpriv", …]. */
export async function startScript(
  at: Namespace,
  file: string,
  args: string[] = [],
  by: string[] = [],
): Promise<Started> {
  return startNode(at, file, [await asProgram(file), ...args], by);
}

/** The same with the source itself, for a program that starts other sources. */
export function startSource(at: Namespace, file: string): Promise<Started> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return startNode(at, file, ["--import", tsx, placeOf(file)]);
}

const placeOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function startNode(at: Namespace, file: string, args: string[], by: string[] = []): Promise<Started> {
  const [program = process.execPath, ...more] = [...by, process.execPath, ...args];
  return at.start(program, more, { cwd: dirname(placeOf(file)) });
}

/**
 * Keys of an interface's peers that have an address, sorted. The others, such as the panel's own, carry no traffic. Empty if there
 * is no such interface.
 */
export async function devicesOn(at: Pick<Namespace, "attempt">, name: string): Promise<string[]> {
  const { stdout } = await at.attempt("wg", ["show", name, "allowed-ips"]);
  return stdout
    .split("\n")
    .flatMap((line) => (line === "" || line.endsWith("(none)") ? [] : line.slice(0, line.indexOf("\t"))))
    .sort();
}

/** Services on a machine: each TCP port answers HTTP with `name` and the caller's address, each UDP port echoes. */
export async function startServices(at: Namespace, { tcp = [80], udp = [] as number[] } = {}): Promise<Started> {
  const services = await startScript(at, "./services.ts", [at.name, tcp.join(","), udp.join(",")]);
  await until(`${at.name} listens`, () => services.output().includes("listening"));
  return services;
}

const passingOnTo = (place: string | number): Server =>
  createServer((outer) => {
    const inner = typeof place === "string" ? createConnection(place) : createConnection(place, "127.0.0.1");
    outer.pipe(inner).pipe(outer);
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });

/**
 * The other direction: programs on that machine reach a port on the test's loopback at their own `port`, or at one of the machine's
 * `address:port`.
 */
export async function relayFrom(
  network: Pick<LabNetwork, "folder">,
  at: Namespace,
  port: number | string,
  toPort: number,
): Promise<void> {
  const path = join(network.folder, `relay-${randomBytes(4).toString("hex")}.sock`);
  const server = passingOnTo(toPort).unref();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const inside = await startScript(at, "./relay.ts", [String(port), path]);
  await until("the relay listens", () => inside.output().includes("listening"));
}

/**
 * A relay from the test to a TCP port on that machine's loopback, e.g. its panel, or to an `address:port` it reaches. No cable
 * leads out of the lab: Chromium drops what it loads whenever its own machine gets or loses one.
 */
export async function relayTo(
  network: LabNetwork,
  at: Namespace,
  port: number | string,
): Promise<{ port: number; url: string; close(): Promise<void> }> {
  const path = join(network.folder, `relay-${randomBytes(4).toString("hex")}.sock`);
  // A socket file belongs to no network, so it connects two of them.
  const inside = await startScript(at, "./relay.ts", [path, String(port)]);
  await until("the relay listens", () => inside.output().includes("listening"));
  const server = passingOnTo(path);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close();
      await inside.kill("SIGKILL");
    },
  };
}

export interface Tunnel {
  name: string;
  /** Bytes and handshake as the device sees them; `handshakeAt` in seconds since 1970, 0 for none. */
  state(): Promise<{ handshakeAt: number; rxBytes: number; txBytes: number }>;
  down(): Promise<void>;
  /** Down and up again with the current file. */
  again(): Promise<void>;
}

/** What a member does with a downloaded file: puts it on the device unchanged and runs `wg-quick up`. */
export async function tunnelUp(network: LabNetwork, client: Namespace, file: string, name = "krug"): Promise<Tunnel> {
  const folder = await mkdtemp(join(network.folder, "client-"));
  const path = join(folder, `${name}.conf`);
  await writeFile(path, file, { mode: 0o600 });
  const env = { WG_QUICK_USERSPACE_IMPLEMENTATION: "wireguard-go" };
  await client.exec("wg-quick", ["up", path], { env });
  const down = async () => void (await client.exec("wg-quick", ["down", path], { env }));
  return {
    name,
    down,
    async again() {
      await down();
      await client.exec("wg-quick", ["up", path], { env });
    },
    async state() {
      const columns = (await client.exec("wg", ["show", name, "dump"])).trim().split("\n")[1]?.split("\t") ?? [];
      return { handshakeAt: Number(columns[4]), rxBytes: Number(columns[5]), txBytes: Number(columns[6]) };
    },
  };
}

/** The body of an HTTP request from there, or null if none arrives in time. */
export async function fetchFrom(at: Namespace, url: string, timeoutSeconds = 1): Promise<string | null> {
  const args = ["--silent", "--show-error", "--noproxy", "*", "--max-time", String(timeoutSeconds), url];
  const { exitCode, stdout } = await at.attempt("curl", args);
  return exitCode === 0 ? stdout : null;
}

/** Retries an unanswered request: one hang need not hang the run. */
const ONE_ANSWER_MS = 40_000;

/** Polls until it is true; WireGuard repeats a lost handshake after 5 s, hence the long patience. */
export async function until<T>(what: string, ask: () => T | Promise<T>, patienceMs = 15_000): Promise<NonNullable<T>> {
  for (const deadline = Date.now() + patienceMs; ; await wait(20)) {
    const silence = new AbortController();
    const answer = await Promise.race([
      ask(),
      wait(ONE_ANSWER_MS, null, { signal: silence.signal, ref: false }).catch(() => null),
    ]).finally(() => silence.abort());
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
  }
}
