import { setTimeout as wait } from "node:timers/promises";
import type { ActualInterface, ActualPeer, DesiredInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/keys";
import { plan } from "@krug/wireguard/plan";
import { sortOut } from "./conflicts.ts";
import { type Control, controlByProgram, controlBySocket, incarnation } from "./control.ts";
import { makeFirewall } from "./firewall.ts";
import { respectMarks, turnForwardingOn } from "./forwarding.ts";
import {
  type Applied,
  type DesiredHost,
  type Host,
  type HostReport,
  HostUnavailable,
  NO_ACCESS_RULES,
  type PeerChange,
  type PeersApplied,
  type RemovedPeer,
} from "./host.ts";
import { inspectMachine } from "./inspect.ts";
import { bringLinkTo, createLink, deleteLink, type Link, readLinks } from "./links.ts";
import type { Machine } from "./machine.ts";
import { readMachine } from "./machine-state.ts";
import { busyUdpPorts, defaultRouteAddress, findOccupied, holderOfUdpPort, nameServerAddresses } from "./occupied.ts";
import { bringGuardTo } from "./routing-guard.ts";
import { watchTable } from "./table-watch.ts";

export interface DriverOptions {
  /** Whether tunnels of wireguard-go are set through their control socket (the default) or by starting `wg`. */
  control?: "socket" | "program";
}

/** What we know to stand on an interface of ours, so that adding a peer need not read all the others. */
interface Known {
  publicKey: PublicKey;
  incarnation: string;
  peers: Set<PublicKey>;
}

/** In which the kernel takes away what a killed program had made; a busy machine needs some tens of ms. */
const GOES_WITHIN_MS = 1_000;

/** The driver of a machine with WireGuard. */
export function makeHost(machine: Machine, { control: way = "socket" }: DriverOptions = {}): Host {
  const control: Control = way === "socket" ? controlBySocket(machine) : controlByProgram(machine);
  const firewall = makeFirewall();
  const inTurn = makeQueue();
  // Where it fails, the next look at the whole machine says so.
  const tableWatch = watchTable(machine, () => inTurn(() => firewall.restore(machine)).catch(() => undefined));
  const known = new Map<string, Known>();
  let backend: "kernel" | "userspace" | null = null;

  async function inspect(): Promise<HostReport> {
    const report = await inspectMachine(machine);
    backend = report.backend;
    return report;
  }

  async function remember(name: string, publicKey: PublicKey | null, peers: Iterable<PublicKey>) {
    const now = await incarnation(machine, name);
    if (publicKey === null || now === null) known.delete(name);
    else known.set(name, { publicKey, incarnation: now, peers: new Set(peers) });
  }

  async function readAll(links: ReadonlyMap<string, Link>): Promise<ActualInterface[]> {
    // A control socket outlives its interface for a moment; what has no link is as good as gone, or not of this machine.
    const all = (await control.readAll()).filter(({ name }) => links.has(name));
    known.clear();
    for (const { name, publicKey, peers } of all)
      await remember(
        name,
        publicKey,
        peers.map((peer) => peer.publicKey),
      );
    return all;
  }

  /** The device of a tunnel whose program has just ended is there for a moment more, and is not a stranger's. */
  async function look(): Promise<{ links: Map<string, Link>; actual: ActualInterface[] }> {
    const before = [...known.keys()];
    for (const deadline = Date.now() + GOES_WITHIN_MS; ; await wait(10)) {
      const links = await readLinks(machine);
      const actual = await readAll(links);
      const isGoing = before.some((name) => links.has(name) && !actual.some((tunnel) => tunnel.name === name));
      if (!isGoing || Date.now() > deadline) return { links, actual };
    }
  }

  async function apply({ interfaces, ownKeys, closedTcpPorts, openPorts, access }: DesiredHost): Promise<Applied> {
    if (backend === null && interfaces.length > 0) {
      const { missing } = await inspect();
      if (backend === null) throw new HostUnavailable(missing.map(({ detail }) => detail).join("; "));
    }
    const { links, actual } = await look();
    const { wanted, unwanted, conflicts } = sortOut({
      interfaces,
      ownKeys,
      actual,
      links,
      busyPorts: await busyUdpPorts(machine),
    });
    for (const conflict of conflicts) {
      const port = interfaces.find(({ name }) => name === conflict.name)?.listenPort;
      if (conflict.reason !== "port_busy" || port === undefined) continue;
      conflict.detail += ` by ${(await holderOfUdpPort(machine, port)) ?? "the kernel, as a tunnel of its own"}`;
    }
    const applied: Applied = { created: [], addedPeers: [], removedPeers: [], conflicts, firewallFailure: null };

    for (const tunnel of unwanted) {
      await attempt(applied, tunnel.name, async () => {
        const last = (await control.read(tunnel.name)) ?? tunnel;
        await deleteLink(machine, tunnel.name);
        known.delete(tunnel.name);
        applied.removedPeers.push(...last.peers.map(lastCounters));
      });
    }
    // Before any tunnel carries a packet, so that no packet passes a machine that has no rules yet.
    try {
      await firewall.bringTo(machine, {
        interfaces: wanted.map((each) => each.desired),
        closedTcpPorts,
        openPorts,
        nameServers: await nameServerAddresses(machine),
        access,
      });
      // After the table: without its mark the guard would stop what runs.
      const tunnels = wanted.map(({ desired }) => desired.name);
      const isGuardable = wanted.length > 0 && (await respectMarks(machine));
      await bringGuardTo(machine, { v4: isGuardable ? tunnels : [], v6: tunnels });
      if (wanted.length > 0) tableWatch.start();
      else tableWatch.stop();
    } catch (error) {
      applied.firewallFailure = reasonOf(error);
      for (const { desired } of wanted)
        conflicts.push({ name: desired.name, reason: "failed", detail: applied.firewallFailure });
    }
    const isGuarded = applied.firewallFailure === null;
    if (wanted.length > 0) {
      await turnForwardingOn(machine, {
        v6: wanted.some(({ desired }) => desired.addresses.some((each) => each.includes(":"))),
      });
    }
    for (const { desired, present } of wanted) {
      if (!isGuarded && present === null) continue;
      await attempt(applied, desired.name, () =>
        bringTo(desired, present, links.get(desired.name), isGuarded, applied),
      );
    }
    return applied;
  }

  /** Without a firewall peers are only taken away: that is owed at any time, and opens nothing. */
  async function bringTo(
    desired: DesiredInterface,
    present: ActualInterface | null,
    link: Link | undefined,
    isGuarded: boolean,
    applied: Applied,
  ): Promise<void> {
    const { name } = desired;
    const steps = plan(desired, present);
    if (steps.create && backend) {
      await createLink(machine, backend, name);
      applied.created.push(name);
    }
    if (steps.remove.length > 0) {
      const last = await control.read(name, steps.remove);
      await control.change(name, { remove: steps.remove, upsert: [] });
      applied.removedPeers.push(...(last?.peers ?? []).map(lastCounters));
    }
    if (!isGuarded) return;
    if (steps.setPrivateKey || steps.setListenPort || steps.upsert.length > 0) {
      await control.change(name, {
        ...(steps.setPrivateKey ? { privateKey: desired.privateKey } : {}),
        ...(steps.setListenPort ? { listenPort: desired.listenPort } : {}),
        remove: [],
        upsert: steps.upsert,
      });
      applied.addedPeers.push(...steps.add);
    }
    await remember(
      name,
      desired.publicKey,
      desired.peers.map((peer) => peer.publicKey),
    );
    await bringLinkTo(machine, desired, link);
  }

  async function applyPeers({ interfaceName: name, interfaceKey, upsert, remove }: PeerChange): Promise<PeersApplied> {
    const memory = known.get(name);
    const isFresh = memory?.publicKey === interfaceKey && memory.incarnation === (await incarnation(machine, name));
    const present = isFresh && remove.length === 0 ? null : await readOwn(name, interfaceKey, upsert, remove);
    const standing = present ? new Set(present.map((peer) => peer.publicKey)) : (memory?.peers ?? new Set());
    await control.change(name, { remove, upsert });
    const addedPeers = upsert.map((peer) => peer.publicKey).filter((publicKey) => !standing.has(publicKey));
    if (memory && isFresh) {
      for (const publicKey of remove) memory.peers.delete(publicKey);
      for (const { publicKey } of upsert) memory.peers.add(publicKey);
    } else known.delete(name);
    const leaving = new Set(remove);
    return {
      addedPeers,
      removedPeers: (present ?? []).filter((peer) => leaving.has(peer.publicKey)).map(lastCounters),
    };
  }

  /** The peers in question as they stand on an interface that is provably ours. */
  async function readOwn(name: string, interfaceKey: PublicKey, upsert: PeerChange["upsert"], remove: PublicKey[]) {
    const present = await control.read(name, [...upsert.map((peer) => peer.publicKey), ...remove]);
    if (present === null) throw new HostUnavailable(`there is no interface ${name}`);
    if (present.publicKey !== interfaceKey) throw new HostUnavailable(`the interface ${name} carries another key`);
    return present.peers;
  }

  return {
    inspect: () => inTurn(inspect),
    read: () => inTurn(async () => readAll(await readLinks(machine))),
    apply: (desired) => inTurn(() => apply(desired)),
    applyPeers: (change) => inTurn(() => applyPeers(change)),
    applyAccess: (access) => inTurn(() => firewall.bringAccessTo(machine, access)),
    occupied: () => inTurn(async () => findOccupied(machine, await control.readAll())),
    // Not in turn: it touches nothing, and need not wait for what does.
    readMachine: () => readMachine(machine),
    defaultEndpoint: () => defaultRouteAddress(machine),
  };
}

/** Removes from the machine everything that the panel made there, and answers the last counters. */
export function tearDown(host: Host, ownKeys: PublicKey[]): Promise<Applied> {
  return host.apply({ interfaces: [], ownKeys, closedTcpPorts: [], openPorts: [], access: NO_ACCESS_RULES });
}

function lastCounters({ publicKey, rxBytes, txBytes, lastHandshakeAt }: ActualPeer): RemovedPeer {
  return { publicKey, rxBytes, txBytes, lastHandshakeAt };
}

async function attempt(applied: Applied, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    applied.conflicts.push({ name, reason: "failed", detail: reasonOf(error) });
  }
}

/** One piece of work after the other, in the order of asking, so that two changes never interleave. */
function makeQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work).catch((error: unknown) => {
      throw error instanceof HostUnavailable ? error : new HostUnavailable(reasonOf(error), { cause: error });
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
