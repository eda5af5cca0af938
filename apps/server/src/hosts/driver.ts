import { setTimeout as wait } from "node:timers/promises";
import { type Reason, reason, reasonsTogether } from "@krug/domain/reasons";
import { makeDumpParser } from "@krug/wireguard/dump";
import type { ActualInterface, ActualPeer, DesiredInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/keys";
import { DesiredStateError, isEmptyPlan, plan, setsAnything } from "@krug/wireguard/plan";
import { type TunnelProtocol, type TunnelType, WIREGUARD } from "@krug/wireguard/protocol";
import { withSpared } from "@krug/wireguard/spare";
import type { z } from "zod";
import { oneByOne } from "../platform/limiter.ts";
import { Endpoint, MachineState, Occupied, Passed, PathMtu, RefusedBy } from "./answers.ts";
import type { Carrier } from "./carrier.ts";
import { sortOut } from "./conflicts.ts";
import {
  type Control,
  controlOver,
  type Incarnation,
  incarnation,
  type Protocols,
  type ProtocolWithProgram,
} from "./control.ts";
import { makeEngineCarrier, type OwnNetwork, userspaceNetworking } from "./engine-carrier.ts";
import { type Guard, Superseded } from "./generation.ts";
import {
  type Applied,
  type Call,
  type DesiredHost,
  type Host,
  type HostFailure,
  type HostLook,
  HostRefused,
  type HostReport,
  HostSuperseded,
  HostUncertain,
  HostUnreachable,
  type Lease,
  NO_ACCESS_RULES,
  type PeerChange,
  type PeersApplied,
  type ReadInterface,
  type RemovedPeer,
} from "./host.ts";
import { inspectMachine } from "./inspect.ts";
import { makeKernelCarrier } from "./kernel-carrier.ts";
import { lifeOf, readRun } from "./life.ts";
import type { Link } from "./links.ts";
import {
  CallGivenUp,
  endingWith,
  LeaseLost,
  type Machine,
  MachineFailure,
  NoLonger,
  type Outcome,
  onlyWhile,
  Unreadable,
} from "./machine.ts";
import { busyUdpPorts, holderOfUdpPort, nameServerAddresses, readUdpSockets } from "./occupied.ts";
import { SshFailure } from "./remote.ts";

export interface DriverOptions {
  /** Whether an engine's tunnels are controlled through their socket (the default) or by the protocol's program. */
  control?: "socket" | "program";
  /** Replaces WireGuard's own, for tests. */
  wireguard?: ProtocolWithProgram;
  /** With the engine's path on this machine; omitted if the panel has none. */
  amneziawg?: TunnelProtocol;
  /** The club that owns the tunnels, a UUID; null if unknown. */
  club?: () => Promise<string | null>;
  /** Of a machine that does not guard itself, as the helper over SSH does. */
  guard?: Guard;
}

/** What we know is on an interface of ours, so that adding a peer need not read all the others. */
interface Known {
  protocol: TunnelProtocol;
  publicKey: PublicKey;
  listenPort: number;
  incarnation: Incarnation;
  /** Of its counters; null if they were not read yet. */
  life: string | null;
  peers(): Set<PublicKey>;
}

/** What `remember` needs of an interface that was read or just set. */
type Remembered = Pick<ActualInterface, "name" | "publicKey" | "listenPort"> & {
  type?: TunnelType;
  life?: string | null;
  peers: readonly { publicKey: PublicKey }[];
};

/** A call's access to the machine, which ends with the call. */
interface Tools {
  machine: Machine;
  /** Of tunnels of this type. @throws MachineFailure if the panel has no engine for it */
  controlOf(type: TunnelType | undefined): Control;
}

const APPLY_WITHIN_MS = 100_000;
const WITHIN_MS = 30_000;

/** How long the kernel may take to remove what a killed program made; a busy machine needs tens of ms. */
const GOES_WITHIN_MS = 1_000;

/** The driver of a machine whose kernel carries the tunnels. */
export function makeHost(
  machine: Machine,
  { control: way = "socket", wireguard = WIREGUARD, amneziawg, guard, club = async () => null }: DriverOptions = {},
): Host {
  const all = [wireguard, ...(amneziawg ? [amneziawg] : [])];
  const protocols = { wireguard, ...(amneziawg && { amneziawg }) };
  return driveBy(machine, { protocols, way, guard }, (change) =>
    makeKernelCarrier(machine, wireguard, all, change, club),
  );
}

/** The same for a machine whose tunnels the panel's engine carries with its own network: needs neither root nor programs. */
export function makeEngineHost(
  machine: Machine,
  { engine, folder, own, guard }: { engine: string; folder: string; own: OwnNetwork; guard?: Guard },
): Host {
  const protocols = userspaceNetworking(engine, folder);
  return driveBy(machine, { protocols, way: "socket", guard }, () => makeEngineCarrier(protocols, own));
}

function driveBy(
  machine: Machine,
  { protocols, way, guard }: { protocols: Protocols; way: "socket" | "program"; guard: Guard | undefined },
  carriedBy: (change: (work: (machine: Machine) => Promise<void>) => Promise<void>) => Carrier,
): Host {
  const { wireguard } = protocols;
  const limited = oneByOne();
  const known = new Map<string, Known>();
  const all: TunnelProtocol[] = Object.values(protocols);
  const parse = makeDumpParser(wireguard);
  let isAble = false;
  // Done but not reported yet. The next answer or failure carries it, so that no counter is lost with an answer.
  let untold: PeersApplied = { addedPeers: [], removedPeers: [] };
  // For what the driver does on its own, which needs the right to it too.
  let lastLease: Lease | undefined;

  const told = (): PeersApplied => {
    const done = untold;
    untold = { addedPeers: [], removedPeers: [] };
    return done;
  };

  const protocolOf = (type: TunnelType = "wireguard"): TunnelProtocol => {
    const found = protocols[type];
    if (found === undefined) throw new MachineFailure("refused", reason("lack.engine"));
    return found;
  };
  const controlIn = (machine: Machine, protocol: TunnelProtocol, by = way) =>
    controlOver(by, machine, protocol, protocol === wireguard ? parse : undefined);

  /**
   * Does a call's work, and ends it at its deadline, its caller's signal or the loss of its lease. `fail` turns the machine's
   * failure into the caller's.
   */
  async function perform<T>(
    work: (tools: Tools) => Promise<T>,
    { signal, deadlineMs = WITHIN_MS, lease }: Call = {},
    fail: (error: MachineFailure) => HostFailure,
  ): Promise<T> {
    const controller = new AbortController();
    const giveUp = () => controller.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp);
    const late = () => controller.abort(new DOMException("too late", "TimeoutError"));
    const timer = setTimeout(late, deadlineMs);
    if (lease !== undefined) lastLease = lease;
    const bound = endingWith(controller.signal, machine, async () => {
      if (lease !== undefined && !(await lease.isOurs())) controller.abort(new LeaseLost());
    });
    const controlOf = (type: TunnelType | undefined) => controlIn(bound, protocolOf(type));
    try {
      return await work({ machine: bound, controlOf });
    } catch (error) {
      throw error instanceof MachineFailure ? fail(error) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Changes nothing, so a lost answer leaves nothing uncertain. */
  const ask = <T>(work: (tools: Tools) => Promise<T>, call?: Call) =>
    perform(work, call, (error) => failureOf(error.outcome === "unknown" ? "unreachable" : error.outcome, error));
  /** The same, with the result checked by a schema. */
  const askFor = <Schema extends z.ZodType>(
    schema: Schema,
    work: (tools: Tools) => Promise<z.output<Schema>>,
    call?: Call,
  ): Promise<z.output<Schema>> =>
    ask(async (tools) => {
      const read = schema.safeParse(await work(tools));
      if (!read.success) throw new Unreadable("the machine");
      return read.data;
    }, call);
  const guarded =
    <T>(work: (tools: Tools) => Promise<T>) =>
    (tools: Tools) =>
      guard === undefined ? work(tools) : guard.whileCurrent(() => work(tools));
  const change = <T>(work: (tools: Tools) => Promise<T>, call?: Call) =>
    limited(() => perform(guarded(work), call, (error) => failureOf(error.outcome, error)));
  const changePeers = <T>(work: (tools: Tools) => Promise<T>, call?: Call) =>
    limited(() => perform(guarded(work), call, (error) => failureOf(error.outcome, error, told())));

  const carrier = carriedBy((work) => change(({ machine }) => work(machine), lastLease && { lease: lastLease }));

  async function inspect({ machine }: Tools): Promise<HostReport> {
    const report = await inspectMachine(machine, carrier, protocols.amneziawg);
    isAble = report.backend !== null;
    return report;
  }

  function remember({ name, type, publicKey, listenPort, life = null, peers }: Remembered, now: Incarnation | null) {
    if (publicKey === null || now === null) known.delete(name);
    else
      known.set(name, {
        protocol: protocolOf(type),
        publicKey,
        listenPort,
        incarnation: now,
        life,
        peers: keysOf(peers),
      });
  }

  /** Of every type that the panel controls. */
  const readTunnels = async ({ controlOf }: Tools) => {
    const found = await Promise.all(
      all.map(async ({ type }) => (await controlOf(type).readAll()).map((tunnel) => ({ ...tunnel, type }))),
    );
    return found.flat();
  };

  /** Reads everything at once, because a machine may be far away. `likely` are expected there. */
  async function readAll(tools: Tools, likely: readonly DesiredInterface[] = []) {
    const { machine } = tools;
    const incarnationOf = async ([name, protocol]: readonly [string, TunnelProtocol]) =>
      [name, await incarnation(machine, protocol, name)] as const;
    // Before the peers: an interface that is recreated in between then counts as unknown.
    const names = new Map([
      ...[...known].map(([name, { protocol }]) => [name, protocol] as const),
      ...likely.flatMap(({ name, type = "wireguard" }) => {
        const protocol = protocols[type];
        return protocol === undefined ? [] : [[name, protocol] as const];
      }),
    ]);
    const [incarnations, links, run, first] = await Promise.all([
      Promise.all([...names].map(incarnationOf)),
      carrier.readLinks(machine),
      readRun(machine),
      readTunnels(tools),
    ]);
    const others = first.flatMap(({ name, type }) =>
      links.has(name) && names.get(name)?.type !== type ? [[name, protocolOf(type)] as const] : [],
    );
    const byName = new Map([...incarnations, ...(await Promise.all(others.map(incarnationOf)))]);
    const lifeOn = (name: string) => lifeOf(run, links.get(name), byName.get(name) ?? null);
    const isNew = first.some(
      ({ name, publicKey }) => publicKey !== null && ![null, known.get(name)?.life].includes(lifeOn(name)),
    );
    // Read again after the links: old counters must not be attributed to a new life.
    const tunnels = isNew ? await readTunnels(tools) : first;
    // A control socket briefly outlives its interface; without a link the interface is gone, or on another machine.
    const actual = tunnels.flatMap((tunnel) =>
      links.has(tunnel.name) ? [{ ...tunnel, life: lifeOn(tunnel.name) }] : [],
    );
    known.clear();
    for (const tunnel of actual) remember(tunnel, byName.get(tunnel.name) ?? null);
    return { links, actual };
  }

  async function lookAround(tools: Tools): Promise<HostLook> {
    await guard?.refuseIfSuperseded();
    const { links, actual } = await readAll(tools);
    const names = actual.map(({ name }) => name);
    return {
      interfaces: actual,
      down: names.filter((name) => links.get(name)?.isUp !== true),
      ...(await carrier.look(
        tools.machine,
        names.flatMap((name) => links.get(name) ?? []),
      )),
    };
  }

  /** A tunnel whose program has just ended keeps its device and port for a moment: they are not somebody else's. */
  async function look(tools: Tools, likely: readonly DesiredInterface[]) {
    const before = [...known];
    for (const deadline = Date.now() + GOES_WITHIN_MS; ; await wait(10)) {
      const [{ links, actual }, udpSockets] = await Promise.all([
        readAll(tools, likely),
        readUdpSockets(tools.machine),
      ]);
      const busyPorts = busyUdpPorts(udpSockets);
      const isGoing = before.some(
        ([name, { listenPort }]) =>
          !actual.some((tunnel) => tunnel.name === name) && (links.has(name) || busyPorts.has(listenPort)),
      );
      if (!isGoing || Date.now() > deadline) return { links, actual, busyPorts, udpSockets };
    }
  }

  /** Takes an interface's peers off the wire by `removal`, and reports their counters whatever happens to its answer. */
  async function takeOff(
    interfaceKey: PublicKey,
    life: string | null,
    last: readonly ActualPeer[],
    removal: () => Promise<void>,
  ): Promise<void> {
    const keep = () => untold.removedPeers.push(...last.map((peer) => lastCounters(interfaceKey, life, peer)));
    try {
      await removal();
    } catch (error) {
      if (error instanceof MachineFailure) keep();
      throw error;
    }
    keep();
  }

  async function apply(
    { interfaces, ownKeys, closedTcpPorts, openPorts, access, opensForwarding = false }: DesiredHost,
    tools: Tools,
  ): Promise<Applied> {
    const { machine, controlOf } = tools;
    let noFirewall: Reason | null = null;
    if (!isAble && interfaces.length > 0) {
      const abilities = await carrier.findAbilities(machine);
      isAble = abilities.backend !== null;
      const lacks = reasonsTogether(abilities.missing.map(({ why }) => why));
      if (!isAble) {
        if (abilities.missing.some(({ code }) => code !== "no_nftables")) throw new MachineFailure("refused", lacks);
        noFirewall = lacks;
      }
    }
    const rules = carrier.beginRules(machine);
    const { links, actual, busyPorts, udpSockets } = await look(tools, interfaces);
    const isOneNew = interfaces.some(({ name }) => !actual.some((tunnel) => tunnel.name === name));
    const routes = isOneNew ? await carrier.routes(machine) : [];
    const { wanted, unwanted, conflicts } = sortOut({ interfaces, ownKeys, actual, links, busyPorts, routes });
    for (const conflict of conflicts) {
      const port = interfaces.find(({ name }) => name === conflict.name)?.listenPort;
      if (conflict.reason !== "port_busy" || port === undefined) continue;
      const holder = await holderOfUdpPort(machine, port);
      if (holder !== null) conflict.why = reason("interface.port_busy", { port, holder });
    }
    // A bug in one interface must not stop work on the others; it is thrown after them.
    const bugs: unknown[] = [];
    const spared: Applied["spared"] = [];

    /** Returns why it failed, or null. */
    const attempt = async (work: () => Promise<void>): Promise<Reason | null> => {
      try {
        await work();
        return null;
      } catch (error) {
        const isAway =
          error instanceof CallGivenUp || (error instanceof MachineFailure && error.outcome === "unreachable");
        if (isAway) throw error;
        if (error instanceof MachineFailure) return error.why;
        if (error instanceof DesiredStateError) return reason("interface.wrong_wish", {}, error.message);
        bugs.push(error);
        return reason("interface.failed");
      }
    };
    const attemptOn = async (name: string, work: () => Promise<void>) => {
      const failure = await attempt(work);
      if (failure === null) return;
      known.delete(name);
      conflicts.push({ name, reason: "failed", why: failure });
    };

    for (const tunnel of unwanted) {
      await attemptOn(tunnel.name, async () => {
        const last = (await controlOf(tunnel.type).read(tunnel.name)) ?? tunnel;
        await takeOff(tunnel.publicKey, tunnel.life, last.peers, () =>
          carrier.remove(machine, protocolOf(tunnel.type), tunnel.name),
        );
        known.delete(tunnel.name);
      });
    }
    await rules.refuseOthers((name) => {
      const found = actual.find((tunnel) => tunnel.name === name);
      return found === undefined ? null : wanted.some(({ present }) => present === found);
    });
    // Before any tunnel carries a packet: none may pass a machine without rules.
    const firewallFailure = await attempt(async () => {
      if (noFirewall !== null) throw new MachineFailure("refused", noFirewall);
      const nameServers = nameServerAddresses(udpSockets);
      const tunnelled = wanted.map((each) => each.desired);
      await rules.load({ interfaces: tunnelled, closedTcpPorts, openPorts, nameServers, access });
    });
    const isGuarded = firewallFailure === null;
    if (firewallFailure !== null)
      for (const { desired } of wanted) conflicts.push({ name: desired.name, reason: "failed", why: firewallFailure });
    if (wanted.length > 0) {
      const v6 = wanted.some(({ desired }) => desired.addresses.some((each) => each.includes(":")));
      await rules.letThrough({ v6 });
    }
    for (const { desired, present } of wanted) {
      if (!isGuarded && present === null) continue;
      await attemptOn(desired.name, async () => {
        const sparing = withSpared(desired, present);
        await bringTo(tools, sparing.desired, present, links.get(desired.name), isGuarded);
        if (desired.known) spared.push({ interfaceKey: desired.publicKey, peers: sparing.spared });
      });
    }
    const openingFailure = await attempt(() =>
      carrier.open(machine, opensForwarding ? wanted.map(({ desired }) => desired) : []),
    );
    if (bugs.length > 0) throw bugs[0];
    const done = told();
    const isAsSeen =
      wanted.every(({ present }) => present !== null) && done.addedPeers.length === 0 && done.removedPeers.length === 0;
    return { conflicts, firewallFailure, openingFailure, spared, seen: isAsSeen ? actual : null, ...done };
  }

  /** Without a firewall it only removes peers: that is always right and opens nothing. */
  async function bringTo(
    tools: Tools,
    desired: DesiredInterface,
    present: ReadInterface | null,
    link: Link | undefined,
    isGuarded: boolean,
  ): Promise<void> {
    const { machine } = tools;
    const { name, type = "wireguard" } = desired;
    const protocol = protocolOf(type);
    const control = tools.controlOf(type);
    const steps = plan(desired, present, protocol);
    if (present !== null && (steps.recreate || present.type !== type)) {
      if (!isGuarded) return;
      const last = (await tools.controlOf(present.type).read(name)) ?? present;
      await takeOff(desired.publicKey, present.life, last.peers, () =>
        carrier.remove(machine, protocolOf(present.type), name),
      );
      known.delete(name);
      return bringTo(tools, desired, null, undefined, isGuarded);
    }
    if (steps.create) await carrier.create(machine, protocol, name);
    if (steps.remove.length > 0) {
      const last = await control.read(name, steps.remove);
      await takeOff(desired.publicKey, present?.life ?? null, last?.peers ?? [], () =>
        control.change(name, { remove: steps.remove, upsert: [] }),
      );
    }
    if (!isGuarded) return;
    if (setsAnything(steps)) {
      await control.change(name, {
        ...(steps.setPrivateKey ? { privateKey: desired.privateKey } : {}),
        ...(steps.setListenPort ? { listenPort: desired.listenPort } : {}),
        parameters: steps.setParameters,
        remove: [],
        upsert: steps.upsert,
      });
      untold.addedPeers.push(...steps.add.map((publicKey) => ({ interfaceKey: desired.publicKey, publicKey })));
    }
    if (present === null || !isEmptyPlan(steps))
      remember({ ...desired, life: present?.life ?? null }, await incarnation(machine, protocol, name));
    await carrier.bringLinkTo(machine, protocol, desired, link);
  }

  async function applyPeers(change: PeerChange, tools: Tools): Promise<PeersApplied> {
    const { interfaceName: name, interfaceKey, upsert, silence = [], remove } = change;
    const memory = known.get(name);
    // Stored again once we know that it was done.
    known.delete(name);
    if (memory?.publicKey === interfaceKey && remove.length === 0) {
      try {
        // The machine itself checks that it is still the one we know, so one request is enough.
        const { path, identity } = memory.incarnation;
        const same = onlyWhile(path, identity, tools.machine);
        await controlOfKnown(memory, same).change(name, { remove, silence, upsert });
        keepAdded(change, memory.peers());
        for (const { publicKey } of upsert) memory.peers().add(publicKey);
        known.set(name, memory);
        return told();
      } catch (error) {
        if (!(error instanceof NoLonger)) throw error;
      }
    }
    const protocol = memory?.protocol ?? (await protocolOn(tools, name));
    const control = memory ? controlOfKnown(memory, tools.machine) : tools.controlOf(protocol.type);
    const [now, present] = await Promise.all([
      incarnation(tools.machine, protocol, name),
      readOwn(control, name, interfaceKey, upsert, remove),
    ]);
    const isKnown =
      memory?.publicKey === interfaceKey &&
      memory.incarnation.path === now?.path &&
      memory.incarnation.identity === now.identity;
    const presentKeys = new Set(present.map((peer) => peer.publicKey));
    const leaving = new Set(remove);
    await takeOff(
      interfaceKey,
      isKnown ? memory.life : null,
      present.filter(({ publicKey }) => leaving.has(publicKey)),
      () => control.change(name, { remove, silence, upsert }),
    );
    keepAdded(change, presentKeys);
    if (isKnown) {
      for (const publicKey of remove) memory.peers().delete(publicKey);
      for (const { publicKey } of upsert) memory.peers().add(publicKey);
      known.set(name, memory);
    }
    return told();
  }

  /** For an interface that we know: the kernel's have no socket to try first. */
  function controlOfKnown({ protocol, incarnation: { kind } }: Known, machine: Machine): Control {
    return controlIn(machine, protocol, kind === "socket" ? way : "program");
  }

  /** For an unknown interface: a protocol that only engines run is wherever its socket answers. */
  async function protocolOn({ controlOf }: Tools, name: string): Promise<TunnelProtocol> {
    for (const protocol of all)
      if (protocol.program === null && (await controlOf(protocol.type).read(name, [])) !== null) return protocol;
    return wireguard;
  }

  function keepAdded({ interfaceKey, upsert }: PeerChange, presentKeys: ReadonlySet<PublicKey>) {
    for (const { publicKey } of upsert)
      if (!presentKeys.has(publicKey)) untold.addedPeers.push({ interfaceKey, publicKey });
  }

  /** These peers as they are on an interface that is provably ours. */
  async function readOwn(
    control: Control,
    name: string,
    interfaceKey: PublicKey,
    upsert: PeerChange["upsert"],
    remove: PublicKey[],
  ) {
    const present = await control.read(name, [...upsert.map((peer) => peer.publicKey), ...remove]);
    if (present === null) throw new MachineFailure("refused", reason("interface.missing", { name }));
    if (present.publicKey !== interfaceKey)
      throw new MachineFailure("refused", reason("interface.other_key", { name }));
    return present.peers;
  }

  return {
    inspect: (call) => limited(() => ask(inspect, call)),
    read: (call) => limited(() => ask(async (tools) => (await readAll(tools)).actual, call)),
    look: (call) => limited(() => ask(lookAround, call)),
    apply: (desired, call) => changePeers((tools) => apply(desired, tools), { deadlineMs: APPLY_WITHIN_MS, ...call }),
    applyPeers: (wish, call) => changePeers((tools) => applyPeers(wish, tools), call),
    applyAccess: (access, call) => change(({ machine }) => carrier.restrict(machine, access), call),
    occupied: (call) =>
      limited(() =>
        askFor(Occupied, async (tools) => carrier.findOccupied(tools.machine, await readTunnels(tools)), call),
      ),
    // Not queued: these change nothing and need not wait for changes.
    reach: (call) => ask(async ({ machine }) => void (await machine.findProgram("sh")), call),
    passing: (call) => askFor(Passed, ({ machine }) => carrier.passing(machine), call),
    refusing: (tunnels, call) => askFor(RefusedBy, ({ machine }) => carrier.refusing(machine, tunnels), call),
    readMachine: (call) => askFor(MachineState, ({ machine }) => carrier.readMachine(machine), call),
    pathMtu: (call) => askFor(PathMtu, ({ machine }) => carrier.pathMtu(machine), call),
    defaultEndpoint: (call) => askFor(Endpoint, ({ machine }) => carrier.defaultAddress(machine), call),
  };
}

/** Removes everything that the panel made on the machine, and returns the last counters. */
export function tearDown(host: Host, ownKeys: PublicKey[]): Promise<Applied> {
  return host.apply({ interfaces: [], ownKeys, closedTcpPorts: [], openPorts: [], access: NO_ACCESS_RULES });
}

function lastCounters(
  interfaceKey: PublicKey,
  life: string | null,
  { publicKey, rxBytes, txBytes, lastHandshakeAt }: ActualPeer,
): RemovedPeer {
  return { interfaceKey, life, publicKey, rxBytes, txBytes, lastHandshakeAt };
}

function failureOf(outcome: Outcome, error: MachineFailure, done?: PeersApplied): HostFailure {
  const Failure = { unreachable: HostUnreachable, refused: HostRefused, unknown: HostUncertain }[outcome];
  if (error instanceof Superseded)
    return new HostSuperseded(error.why, { by: error.by, cause: error, ...(done ? { done } : {}) });
  const connection = error instanceof SshFailure ? error : null;
  return new Failure(error.why, { cause: error, connection, ...(done ? { done } : {}) });
}

/** Built on first use: most rounds need none. */
function keysOf(peers: readonly { publicKey: PublicKey }[]): () => Set<PublicKey> {
  let keys: Set<PublicKey> | undefined;
  return () => {
    keys ??= new Set(peers.map((peer) => peer.publicKey));
    return keys;
  };
}
