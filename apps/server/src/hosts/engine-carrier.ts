import { createHash } from "node:crypto";
import { type Reason, reason } from "@krug/domain/reasons";
import { canonicalAddress, formatCidr, requireCidr } from "@krug/wireguard/addresses";
import { amneziawgBy } from "@krug/wireguard/amneziawg";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { type TunnelProtocol, type TunnelType, wireguardBy } from "@krug/wireguard/protocol";
import { z } from "zod";
import type { Abilities, Carrier, RulesWish } from "./carrier.ts";
import { namesOfSockets, type Protocols } from "./control.ts";
import type { AccessLists, DesiredAccess, SpeedLimit } from "./host.ts";
import { notLinux } from "./inspect.ts";
import { findEngine, isSilentSoon, type Link, mtuOf, startEngine } from "./links.ts";
import { type Machine, MachineFailure, NobodyAnswers, ProgramFailed, Unreadable } from "./machine.ts";
import { readMachineBy } from "./machine-state.ts";
import { busyUdpPorts, readUdpSockets } from "./occupied.ts";
import { readPathMtu } from "./path-mtu.ts";
import { classesOf } from "./speed-limits.ts";
import { askEngine, socketPath } from "./uapi.ts";

/*
 * Tunnels whose packets never reach the kernel: each engine has its own network stack, and members' traffic leaves by its
 * sockets. This needs no root, no /dev/net/tun and no program but the engine, which enforces the rules itself
 * (docs/adr/0092-three-ways-to-carry-tunnels.md). An engine without rules lets nothing pass.
 */

/** What the machine reports about its network without a program. */
export interface OwnNetwork {
  links(): { name: string /** With their prefix. */; addresses: string[] }[];
  /** The machine's own address on the route there; null without a route. Nothing is sent. */
  addressTowards(destination: string): Promise<string | null>;
}

/** A running engine: the SHA-256 of its rules and of its speed limits. An engine without speed limits, an older one, has null. */
interface Running {
  type: TunnelType;
  sum: string;
  speeds: string | null;
}
const NO_LINE = "";

/** The kernel's limits for a socket's path and for an interface's name. */
const LONGEST_SOCKET = 107;
const LONGEST_NAME = "x".repeat(15);

/** Both protocols in the panel's engine, with its sockets in a separate folder. */
export function userspaceNetworking(engine: string, folder: string): Protocols {
  const by = (protocol: TunnelProtocol): TunnelProtocol => {
    const socketFolder = `${folder}/${protocol.type}`;
    const args = ["--foreground", "--type", protocol.type, "--userspace-networking", "--sockets", socketFolder];
    return { ...protocol, program: null, engines: [{ program: engine, args }], socketFolder };
  };
  return { wireguard: by(wireguardBy(engine)), amneziawg: by(amneziawgBy(engine)) };
}

/** `speedFile` is for all of the machine's engines, so that they count a member's bytes together (ADR 221). */
export function makeEngineCarrier(protocols: Protocols, own: OwnNetwork, speedFile: string): Carrier {
  const all = Object.values(protocols);
  /** By interface. */
  const running = new Map<string, Running>();
  let loaded: RulesWish | null = null;

  const tell = async (machine: Machine, protocol: TunnelProtocol, desired: DesiredInterface, wish: RulesWish) => {
    const { name } = desired;
    const line = networkOf(protocol, desired, wish);
    const sum = sumOf(line);
    const before = running.get(name);
    if (before?.sum === sum) return;
    running.delete(name);
    await askEngine(machine, protocol, name, `network=1\n${line}\n\n`);
    running.set(name, { type: protocol.type, speeds: NO_LINE, ...before, sum });
  };
  /** All running ones, each before any other change to it. */
  const tellAll = async (machine: Machine, wish: RulesWish) => {
    // Its members' files send everything here, so what they did not choose would leave too.
    if ((wish.access.routing?.interfaces ?? []).length > 0)
      throw new MachineFailure("refused", reason("routing.no_kernel"));
    for (const desired of wish.interfaces) {
      const protocol = protocols[desired.type ?? "wireguard"];
      if (protocol && running.get(desired.name)?.type === protocol.type) await tell(machine, protocol, desired, wish);
    }
    loaded = wish;
  };
  const findRunning = async (machine: Machine) => {
    const found = all.map(async (protocol) => {
      const names = await namesOfSockets(machine, protocol);
      return Promise.all(names.map((name) => readRules(machine, protocol, name)));
    });
    return (await Promise.all(found)).flat().flatMap((each) => each ?? []);
  };
  /** Returns why nobody, or only some, are limited. */
  const limit = async (machine: Machine, limits: readonly SpeedLimit[]): Promise<Reason | null> => {
    const line = speedsOf(speedFile, limits);
    const sum = sumOf(line);
    const older: string[] = [];
    for (const [name, engine] of running) {
      const protocol = protocols[engine.type];
      if (protocol === undefined || engine.speeds === sum) continue;
      // An engine that has no limits needs to be told of none.
      if (limits.length === 0 && (engine.speeds === NO_LINE || engine.speeds === null)) continue;
      if (engine.speeds === null) older.push(name);
      else {
        await askEngine(machine, protocol, name, `speeds=1\n${line}\n\n`);
        engine.speeds = sum;
      }
    }
    return older.length === 0 ? null : reason("speeds.older_engine", { names: older.sort().join(", ") });
  };

  return {
    async findAbilities(machine): Promise<Abilities> {
      const system = await notLinux(machine);
      if (system !== null) return { backend: null, missing: [system], install: null };
      const isTooLong = all.some((protocol) => socketPath(protocol, LONGEST_NAME).length > LONGEST_SOCKET);
      const lack = isTooLong ? reason("lack.short_path") : await whyNone(machine, protocols.wireguard);
      if (lack === null) return { backend: "netstack", missing: [], install: null };
      return { backend: null, missing: [{ code: "no_backend", why: lack }], install: null };
    },
    whyNoEngine: whyNone,

    async readLinks(machine) {
      const found = await findRunning(machine);
      const links = new Map<string, Link>();
      running.clear();
      for (const { name, sum, ...engine } of found) {
        running.set(name, { ...engine, sum });
        links.set(name, { name, index: 0, mtu: 0, isUp: sum !== "", addresses: [] });
      }
      return links;
    },
    async create(machine, protocol, name) {
      await startEngine(machine, protocol, name);
      running.set(name, { type: protocol.type, sum: "", speeds: NO_LINE });
    },
    async remove(machine, protocol, name) {
      running.delete(name);
      await askEngine(machine, protocol, name, "stop=1\n\n").catch((error: unknown) => {
        if (!(error instanceof NobodyAnswers)) throw error;
      });
      if (!(await isSilentSoon(machine, protocol, name)))
        throw new MachineFailure("refused", reason("engine.goes_on", { name }));
    },
    async bringLinkTo(machine, protocol, desired) {
      if (loaded !== null) await tell(machine, protocol, desired, loaded);
    },

    beginRules: (machine) => ({
      // Each installation has its own engines, in its own folder.
      refuseOthers: async () => {},
      load: (wish) => tellAll(machine, wish),
      letThrough: async () => {},
      routeExits: async () => {},
    }),
    limitSpeeds: (machine, _, limits) => limit(machine, limits),
    async changeSpeeds(machine, limits) {
      if (loaded === null) throw new MachineFailure("refused", reason("rules.none"));
      return limit(machine, limits);
    },
    async lackingSpeeds(machine, limits) {
      if (limits.length === 0) return 0;
      const wanted = entriesOf(limits).map((each) => JSON.stringify(each));
      const held = await Promise.all(
        (await findRunning(machine)).map(async ({ name, type, speeds }) => {
          const protocol = protocols[type];
          return protocol && speeds !== null ? readSpeeds(machine, protocol, name) : new Set<string>();
        }),
      );
      return wanted.filter((each) => held.length === 0 || !held.every((entries) => entries.has(each))).length;
    },
    // Its interfaces are never routed.
    resolveNames: async () => null,
    async restrict(machine, access) {
      if (loaded === null) throw new MachineFailure("refused", reason("rules.none"));
      await tellAll(machine, { ...loaded, access });
    },

    // Members' traffic leaves by the engine's own sockets: nothing is forwarded.
    passing: async () => null,
    refusing: async () => [],
    open: async () => {},

    look: async () => ({
      forwarding: { v4: null, v6: null },
      notForwarding: [],
      refusals: [],
      hasFirewall: running.size > 0 && [...running.values()].every(({ sum }) => sum !== ""),
    }),
    // Its tunnels' networks are in none of the machine's routing tables.
    routes: async () => [],
    async findOccupied(machine, tunnels) {
      const links = own.links();
      return {
        interfaceNames: [...new Set([...links, ...tunnels].map(({ name }) => name))],
        udpPorts: [...busyUdpPorts(await readUdpSockets(machine))].filter(Boolean),
        subnets: [...new Set(links.flatMap(({ addresses }) => addresses))],
        kernelTunnels: [],
      };
    },
    readMachine: (machine) => readMachineBy(machine, defaultDevices, () => addressOf(own)),
    pathMtu: async (machine) => readPathMtu(machine, await defaultDevices(machine)),
    // It has no links.
    echoes: async () => null,
    defaultAddress: () => addressOf(own),
  };
}

const sumOf = (line: string) => createHash("sha256").update(line).digest("hex");

/** Members' limits as the engine reads them, in its order. @throws RangeError if an address is none */
function entriesOf(limits: readonly SpeedLimit[]) {
  const { speeds, addresses } = classesOf(limits);
  const sources = new Map<number, string[]>();
  for (const [address, bucket] of addresses) {
    const own = sources.get(bucket);
    if (own) own.push(bare(address));
    else sources.set(bucket, [bare(address)]);
  }
  return [...sources].map(([bucket, own]) => ({ bucket, mbit: speeds.get(bucket) ?? 0, sources: own }));
}
const speedsOf = (file: string, limits: readonly SpeedLimit[]) => JSON.stringify({ file, limits: entriesOf(limits) });

const Entries = z.object({ limits: z.array(z.unknown()) });

/** Entries in force, as text. */
async function readSpeeds(machine: Machine, protocol: TunnelProtocol, name: string): Promise<Set<string>> {
  const text = await askEngine(machine, protocol, name, "speeds?=1\n\n");
  const line = /^speeds=(.*)$/m.exec(text)?.[1] ?? "";
  if (line === "") return new Set();
  const read = Entries.safeParse(parseJson(line));
  if (!read.success) throw new Unreadable(`the engine of ${name}`);
  return new Set(read.data.limits.map((each) => JSON.stringify(each)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function addressOf(own: OwnNetwork): Promise<string | null> {
  // Any internet address will do.
  for (const destination of ["1.1.1.1", "2606:4700:4700::1111"]) {
    const address = await own.addressTowards(destination);
    if (address !== null) return address;
  }
  return null;
}

/** @throws MachineFailure */
async function whyNone(machine: Machine, protocol: TunnelProtocol): Promise<Reason | null> {
  const engine = await findEngine(machine, protocol);
  if (engine === null) return reason("lack.engine");
  // Without an interface's name it only reports what it can do.
  const said = await machine.run(engine.program, ["--userspace-networking"]).catch((error: unknown) => {
    if (error instanceof ProgramFailed) return error.stderr;
    throw error;
  });
  return /^\s*-userspace-networking\s*$/m.test(said)
    ? null
    : reason("engine.cannot_carry", { program: engine.program }, said.split("\n")[0]);
}

/** Null if no engine answers. */
async function readRules(
  machine: Machine,
  protocol: TunnelProtocol,
  name: string,
): Promise<(Running & { name: string }) | null> {
  try {
    const text = await askEngine(machine, protocol, name, "network?=1\n\n");
    const sum = /^sha256=([0-9a-f]*)$/m.exec(text)?.[1] ?? NO_LINE;
    return { name, type: protocol.type, sum, speeds: /^speeds=([0-9a-f]*)$/m.exec(text)?.[1] ?? null };
  } catch (error) {
    if (error instanceof NobodyAnswers) return null;
    throw error;
  }
}

/**
 * An interface's complete network as the engine reads it, in one line. What nftables decides for all tunnels of a machine
 * (firewall.ts), each engine decides for its own, so other interfaces' networks are among the closed ones.
 * @throws RangeError if something is not an address or network: nothing else may get into it
 */
function networkOf(protocol: TunnelProtocol, desired: DesiredInterface, wish: RulesWish): string {
  const networks = wish.interfaces.flatMap(({ addresses }) => addresses.map(canonicalCidr));
  return JSON.stringify({
    addresses: desired.addresses.map(withPrefix),
    mtu: mtuOf(protocol, desired),
    closedNetworks: [...new Set([...CLOSED_NETWORKS.map(({ cidr }) => canonicalCidr(cidr)), ...networks])],
    closedTcpPorts: wish.closedTcpPorts,
    openPorts: wish.openPorts,
    nameServers: wish.nameServers.map(bare),
    access: accessOf(wish.access),
  });
}

function accessOf({ everyone, groups }: DesiredAccess): DesiredAccess {
  const answer = {
    everyone: listsOf(everyone),
    groups: groups.map((group) => ({ ...listsOf(group), sources: group.sources.map(bare) })),
  };
  const sources = answer.groups.flatMap((group) => group.sources);
  if (new Set(sources).size !== sources.length) throw new MachineFailure("refused", reason("rules.two_groups"));
  return answer;
}
const listsOf = ({ allowed, denied }: AccessLists): AccessLists => ({
  allowed: allowed.map(canonicalCidr),
  denied: denied.map(canonicalCidr),
});
const canonicalCidr = (text: string) => formatCidr(requireCidr(text));

function bare(text: string): string {
  const address = canonicalAddress(text);
  if (address === null) throw new RangeError("an address is none");
  return address;
}

function withPrefix(text: string): string {
  const { prefix } = requireCidr(text);
  return `${bare(text.split("/")[0] ?? "")}/${prefix}`;
}

/** Names of the devices that lead to the internet, from the kernel's world-readable routes. */
async function defaultDevices(machine: Machine): Promise<string[]> {
  const [v4, v6] = await Promise.all(["/proc/net/route", "/proc/net/ipv6_route"].map((path) => machine.readFile(path)));
  const lines = (text: string | null | undefined) => (text ?? "").split("\n").map((line) => line.trim().split(/\s+/));
  return [
    ...lines(v4).flatMap(([device = "", to, , , , , , mask]) =>
      to === "00000000" && mask === "00000000" ? [device] : [],
    ),
    ...lines(v6).flatMap(([to = "", length, ...rest]) =>
      /^0{32}$/.test(to) && length === "00" && rest.at(-1) !== "lo" ? [rest.at(-1) ?? ""] : [],
    ),
  ];
}
