import type { Reason } from "@krug/domain/reasons";
import type { ActualInterface, ActualPeer, DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { TunnelType } from "@krug/wireguard/protocol";
import { Failure } from "../platform/failure.ts";
import type { Generation, Remembered } from "./generation.ts";

export type { Generation, Remembered };

/**
 * One machine with WireGuard. Features only know this port; `driver.ts` implements it over a `Machine`: the panel's own, or one
 * over SSH (decisions, section 7). Every method either does what it says or throws a `HostFailure`, which says what was done; any
 * other error is a bug. A call has its own deadline in addition to the caller's signal; waiting for other calls on the same
 * machine does not count.
 */
export interface Host {
  /** Resolves once the machine answers at all, which costs it next to nothing. */
  reach(call?: Call): Promise<void>;

  /** What this machine is and what it lacks. Never throws: a machine that cannot run WireGuard reports that here. */
  inspect(call?: Call): Promise<HostReport>;

  /**
   * All WireGuard interfaces of the machine, ours and others', with peers and raw counters. Answers are in one order
   * with those of `apply` and `applyPeers`, so a counter is never older than a removal answered before it.
   */
  read(call?: Call): Promise<ReadInterface[]>;

  /** Only these interfaces, without waiting for other calls; those that do not exist are left out. */
  readSome(names: string[], call?: Call): Promise<ActualInterface[]>;

  /**
   * All of them with what else tunnels need, to compare with the desired state. It changes nothing, and works on a driver that has
   * not applied anything.
   */
  look(call?: Call): Promise<HostLook>;

  /**
   * Brings the machine to the desired state from any state: creates missing interfaces, sets what differs, removes
   * peers and our interfaces that are not wanted, loads the firewall in one piece. What is already right is not touched,
   * so no other peer notices. An interface with a wanted name whose key is not in `ownKeys` is left alone and
   * reported under `conflicts`.
   */
  apply(desired: DesiredHost, call?: Call): Promise<Applied>;

  /**
   * The fast path for a few peers of one interface that is already up. Adding and silencing cost the same at 10 peers and at
   * 10,000; removing reads the interface once for the last counters. Throws if the interface is absent or has another key.
   */
  applyPeers(change: PeerChange, call?: Call): Promise<PeersApplied>;

  /**
   * Updates only the access rules, in one transaction, without reading interfaces and peers. Throws if this driver has not
   * brought the machine to a desired state yet; then use `apply`.
   */
  applyAccess(access: DesiredAccess, call?: Call): Promise<void>;

  /**
   * Updates only the speed limits; returns why nobody is limited, or null. Throws like `applyAccess`.
   */
  applySpeeds(speeds: SpeedLimit[], call?: Call): Promise<Reason | null>;

  /** How many of these speed limits are not in force; changes nothing. */
  lackingSpeeds(speeds: SpeedLimit[], call?: Call): Promise<number>;

  /**
   * Whether an echo from this address of a link comes back from the internet; null if that cannot be tried here. Without waiting for
   * other calls.
   */
  echoes(from: string, call?: Call): Promise<boolean | null>;

  /** What a new interface must keep clear of. Subnets are those of the machine's routes and addresses. */
  occupied(call?: Call): Promise<Occupied>;

  /** Live numbers of the machine; takes a moment, because CPU usage is measured over time. */
  readMachine(call?: Call): Promise<MachineState>;

  /** What members sent and what passed, as counted by the firewall since it was loaded; null if nothing counts. */
  passing(call?: Call): Promise<Passing[] | null>;

  /** What on the machine refuses these tunnels' traffic, or may refuse it, from reading others' firewalls. */
  refusing(tunnels: Pick<DesiredInterface, "name" | "addresses">[], call?: Call): Promise<Refusing[]>;

  /**
   * The largest packet, in bytes, that leaves towards the internet without fragmentation, over IPv4 or IPv6, whichever is
   * smaller; null if there is no route.
   */
  pathMtu(call?: Call): Promise<number | null>;

  /** The address of the default route, offered as the endpoint if no name is known; null if there is none. */
  defaultEndpoint(call?: Call): Promise<string | null>;
}

export interface Call {
  /** Ends the call; the failure says what was done until then. */
  signal?: AbortSignal;
  /** Counted from its turn; by default 100 s for `apply` and 30 s for the others. */
  deadlineMs?: number;
  /**
   * The right to change the machine. Each step checks it first; once another panel has taken it over, the call ends without
   * another step.
   */
  lease?: Lease;
}

/** Which panel works on a machine (platform/held-leases.ts). */
export interface Lease {
  isOurs(): Promise<boolean>;
}

export interface HostReport {
  /**
   * How tunnels run here: by the kernel's WireGuard, by an engine with a kernel tunnel device, or by an engine with its own
   * network stack. Null if they cannot, and then `missing` says why.
   */
  backend: "kernel" | "userspace" | "netstack" | null;
  /** Empty if nothing is missing. With its own network stack: what the other ways lack. */
  missing: HostProblem[];
  /** The command that installs what is missing; null if packages do not help. */
  install: string | null;
  amneziawg: AmneziaReport;
  /** Identifies this machine, also after a reboot: a hash, never the machine's own id. Null if there is none. */
  machine: string | null;
}

/** What a machine has for AmneziaWG tunnels. */
export interface AmneziaReport {
  /** Why they cannot run here, for the operator; null if they can. */
  lacks: Reason | null;
  /** The version of the kernel's module, if loaded. Only informational: tunnels run in the engine. */
  module: string | null;
}

/** `code` is the kind of it; never a secret. */
export interface HostProblem {
  code: "not_linux" | "not_root" | "no_programs" | "no_backend" | "no_nftables" | "forwarding_blocked";
  why: Reason;
}

export interface DesiredHost {
  interfaces: DesiredInterface[];
  /** Public keys of interfaces that this panel ever made on this machine; only these are touched. */
  ownKeys: PublicKey[];
  /** TCP ports on the internet that are closed to members, e.g. [25]. */
  closedTcpPorts: number[];
  /** Ports of the machine itself that members reach through the tunnel, besides ping and its DNS. */
  openPorts: HostPort[];
  access: DesiredAccess;
  /** Others' firewalls are kept open for the tunnels. */
  opensForwarding?: boolean;
  /** Members whose speed is limited. */
  speeds?: SpeedLimit[];
}

/** How fast one member may be here, to each direction: all devices together. */
export interface SpeedLimit {
  /** Identifies the member, and is the same in each call. */
  key: string;
  /** Mbit/s. */
  mbit: number;
  /** Bare tunnel addresses. Those of different members differ. */
  sources: string[];
}

/** A port of a machine on its public addresses. */
export interface HostPort {
  protocol: "tcp" | "udp";
  port: number;
}

/** Networks by what happens to packets for them: canonical CIDRs, v4 and v6, none inside another. */
export interface AccessLists {
  /** Exceptions: they win over `denied`, and open nothing that is closed to everybody. */
  allowed: string[];
  denied: string[];
}

/** The access rules as a machine needs them (decisions, section 7): by a device's address in the tunnel. */
export interface DesiredAccess {
  everyone: AccessLists;
  /** What also applies to selected members. `sources` are bare tunnel addresses; each is in at most one group. */
  groups: (AccessLists & { sources: string[] })[];
  /** Interfaces by which another server's members come: that server has applied the rules to them. */
  decided?: string[];
  /** How what they let pass leaves the machine. Omitted: the machine decides nothing of it. */
  routing?: DesiredRouting;
}

/** Where members' traffic leaves: from this machine, not at all, or through a link to another server, by its number. */
export type Exit = "direct" | "closed" | number;

/** One of the machine's interfaces through which traffic leaves by another server. */
export interface ExitLink {
  /** Of the mark that its connections have: 2 to 254. */
  number: number;
  name: string;
  /** In bytes; null for the default. */
  mtu: number | null;
  /** Its own addresses: what the machine sends from them leaves by the link or not at all. */
  addresses: string[];
}

/** What leaves by which exit, on interfaces whose traffic the server routes (decisions, section 16). */
export interface DesiredRouting {
  /** System names. Nothing of theirs passes without a rule. */
  interfaces: string[];
  /** The machine's own links. Nothing comes in by them but answers. */
  links?: ExitLink[];
  /**
   * The first that fits decides, when a connection begins. `sources` are bare tunnel addresses; `networks` as those of
   * AccessLists, null for everywhere; `onlyDns`: port 53, which leads these devices nowhere else.
   * `names`: also what these names and those below them resolve to, if the machine has a resolver; `key` is the service's.
   */
  rules: {
    sources: string[];
    networks: string[] | null;
    names?: { key: string; domains: string[] };
    onlyDns?: true;
    exit: Exit;
  }[];
}

export const NO_ACCESS_RULES: DesiredAccess = { everyone: { allowed: [], denied: [] }, groups: [] };

export interface Applied {
  /** Peers put on the wire in this run (new or with new keys): their counters start from zero. */
  addedPeers: PeerOn[];
  /** Counters of peers just before they were taken off the wire. */
  removedPeers: RemovedPeer[];
  conflicts: InterfaceConflict[];
  /** Peers of interfaces with `known` that were left alone, by the interface's key. */
  spared: { interfaceKey: PublicKey; peers: ActualPeer[] }[];
  /** Peers with an unreadable preshared key that are not on the machine either. */
  lostPeers: PeerOn[];
  /** What `read` would have returned in this run; null if peers were added or removed, so that counters have changed. */
  seen: ReadInterface[] | null;
  /** Why the firewall with the access rules could not be loaded; the previous one stays in force. Null if it was loaded. */
  firewallFailure: Reason | null;
  /** Why others' firewalls could not be opened, if that is wanted. */
  openingFailure: Reason | null;
  /** Why services' names are resolved by the panel and not by the machine, if that is wanted. */
  namesFailure: Reason | null;
  /** Why nobody's speed is limited, if that is wanted. */
  speedFailure: Reason | null;
}

/**
 * Packets with which members open pages and look up names (`out`), or the answers (`back`), at both ends of the machine's
 * forwarding.
 */
export interface Passing {
  way: "out" | "back";
  family: 4 | 6;
  kind: "web" | "dns";
  /** Came to the first of all firewalls. */
  begun: number;
  /** Left the last. */
  passed: number;
}

/** A rule or policy of another firewall that refuses what members send through the machine, or the answers to it. */
export interface Refusing {
  by: "ufw" | "firewalld" | "docker" | "iptables" | "iptables-legacy" | "nftables";
  /** As the machine's programs call it: 'ip filter FORWARD'. */
  chain: string;
  /** As listed there; null for the chain's policy. */
  rule: string | null;
  ways: ("out" | "back")[];
  families: (4 | 6)[];
  /** No unreadable rule before it could let them through. */
  isSure: boolean;
  /** Shell commands for root that open it permanently. */
  opening: string;
}

/** What could not be done for one interface while everything else was; the next `apply` tries again. */
export interface InterfaceConflict {
  name: string;
  /** `failed`: a program or the kernel refused. */
  reason: "foreign_interface" | "port_busy" | "subnet_busy" | "failed";
  why: Reason;
}

export interface PeerChange {
  interfaceName: string;
  /** Must be the interface's key, so that a stranger's interface of the same name is never touched. */
  interfaceKey: PublicKey;
  upsert: DesiredPeer[];
  /**
   * Peers that lose their addresses at once, so no packet passes. They keep their counters until an `apply` that does not want
   * them removes them and returns the counters.
   */
  silence?: PublicKey[];
  remove: PublicKey[];
}

export interface PeersApplied {
  addedPeers: PeerOn[];
  removedPeers: RemovedPeer[];
}

/** A peer of one interface. A device that is moving is a peer of two, with the same key. */
export interface PeerOn {
  interfaceKey: PublicKey;
  publicKey: PublicKey;
}

export interface ReadInterface extends ActualInterface {
  type: TunnelType;
  /**
   * Identifies the life of its counters: they started at zero under each id. It is stable across panels and their restarts. Null
   * if the machine does not provide it (docs/adr/0060-the-life-of-a-counter.md).
   */
  life: string | null;
}

/** A machine's current state. */
export interface HostLook {
  interfaces: ReadInterface[];
  /** Names of the interfaces whose link is down. */
  down: string[];
  /** Whether the kernel forwards packets; null if it does not say. */
  forwarding: { v4: boolean | null; v6: boolean | null };
  /** What else keeps members' packets from leaving. */
  notForwarding: Reason[];
  /** From reading others' firewalls, which may be wrong: passing traffic disproves it. */
  refusals: Reason[];
  /** Whether the panel's firewall table is loaded. */
  hasFirewall: boolean;
}

/** Last raw counters, in bytes as the server sees them (rx = from the device). */
export interface RemovedPeer extends PeerOn {
  /** Of its interface, as above. */
  life: string | null;
  rxBytes: number;
  txBytes: number;
  /** ms since 1970, or null. */
  lastHandshakeAt: number | null;
}

export interface Occupied {
  interfaceNames: string[];
  udpPorts: number[];
  /** CIDRs, v4 and v6. */
  subnets: string[];
  /** Tunnels of a kernel module that the panel neither reads nor controls; also included in `subnets`. */
  kernelTunnels: { name: string; subnets: string[] }[];
}

export interface MachineState {
  hostName: string;
  /** Percent of all cores together. */
  cpuUsage: number;
  /** Since the machine's start, of all cores together, in ticks. */
  cpuTimes: { idle: number; total: number };
  cores: number;
  /** Bytes; `free` is what programs can still allocate, including caches. */
  memory: { total: number; free: number };
  uptimeS: number;
  /** Over 1, 5 and 15 minutes. */
  load: [number, number, number];
  /** Bytes since the machine's start through the devices that lead to the internet. */
  network: { in: number; out: number };
  /** The address of the default route. */
  address: string | null;
}

/** The machine did not do everything requested. The database has what is missing, and it is applied later. */
export abstract class HostFailure extends Failure {
  /**
   * What was done until then. Counters are those read before a removal. The peers may still be there if it is unknown whether the
   * removal happened.
   */
  readonly done: PeersApplied;
  /** If there was no connection: the reason, and the host key that the machine showed. */
  readonly connection: ConnectionFailure | null;

  constructor(
    why: Reason,
    {
      done = NOTHING,
      connection = null,
      ...options
    }: ErrorOptions & { done?: PeersApplied; connection?: ConnectionFailure | null } = {},
  ) {
    super(why, options);
    this.done = { addedPeers: [...done.addedPeers], removedPeers: [...done.removedPeers] };
    this.connection = connection;
  }
}

/** Why there is no connection; each has its own sentence for the operator (contract: `servers`). */
export type SshProblem =
  | "unresolved"
  | "closed"
  | "silent"
  | "not_ssh"
  | "host_key_changed"
  | "no_algorithm"
  | "login_refused"
  | "keys_only"
  | "second_factor"
  | "password_expired"
  | "root_closed"
  | "no_shell"
  | "other_command"
  | "no_sudo"
  | "sudo_second"
  | "no_agent"
  | "lost";

export interface ConnectionFailure {
  readonly problem: SshProblem;
  /** Fingerprint of the key that the machine showed, if it showed one. */
  readonly shownKey: string | null;
}

const NOTHING: PeersApplied = { addedPeers: [], removedPeers: [] };

/** The machine could not be reached, or did not answer. */
export class HostUnreachable extends HostFailure {}

/** The machine was reached and refused. */
export class HostRefused extends HostFailure {}

/** The machine obeys a newer panel of the club: this one does nothing there. */
export class HostSuperseded extends HostRefused {
  readonly by: Remembered;

  constructor(why: Reason, { by, ...options }: ConstructorParameters<typeof HostFailure>[1] & { by: Remembered }) {
    super(why, options);
    this.by = by;
  }
}

/** It is unknown whether the last step was done: its answer was lost, or the call was given up meanwhile. */
export class HostUncertain extends HostFailure {}
