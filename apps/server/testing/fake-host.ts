import { type Reason, reason } from "@krug/domain/reasons";
import type { ActualInterface, ActualPeer, DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import { plan } from "@krug/wireguard/plan";
import type { TunnelType } from "@krug/wireguard/protocol";
import { withSpared } from "@krug/wireguard/spare";
import { isSuperseded, Superseded } from "../src/hosts/generation.ts";
import {
  type AmneziaReport,
  type Applied,
  type DesiredAccess,
  type Generation,
  type Host,
  type HostLook,
  type HostProblem,
  HostRefused,
  HostSuperseded,
  HostUnreachable,
  type MachineState,
  NO_ACCESS_RULES,
  type Occupied,
  type Passing,
  type PeerOn,
  type ReadInterface,
  type Refusing,
  type Remembered,
  type RemovedPeer,
  type SpeedLimit,
} from "../src/hosts/host.ts";

type FakeInterface = ActualInterface & { type: TunnelType };

/** An in-memory machine with WireGuard, for tests and the demonstration: needs no root and no kernel support. */
export interface FakeHost extends Host {
  readonly interfaces: Map<string, FakeInterface>;
  /** Of each interface, with prefix. */
  readonly addresses: Map<string, readonly string[]>;
  /** While set, every call fails with this reason. */
  away: string | null;
  /** Which machine it is. */
  machine: string | null;
  /** Its AmneziaWG report. */
  amneziawg: AmneziaReport;
  /** What it lacks for tunnels. */
  readonly missing: HostProblem[];
  /** What else is on the machine. */
  readonly foreign: Occupied;
  /** Its live numbers. */
  state: MachineState;
  /** How often each method was called. */
  readonly calls: { reach: number; apply: number; applyPeers: number; applyAccess: number; read: number };
  /** What `look` answers besides the interfaces. */
  surroundings: Omit<HostLook, "interfaces">;
  /** How many bytes pass from it unfragmented. */
  path: number | null;
  /** Whether echoes from its links come back. */
  echoing: boolean | null;
  /** What its firewall has counted. */
  counted: Passing[] | null;
  /** What foreign firewalls refuse, unless they are kept open. */
  closedBy: Refusing[];
  /** The access rules in force. */
  access: DesiredAccess;
  /** Whether foreign firewalls are kept open. */
  isOpened: boolean;
  /** Why it does not resolve services' names. */
  namesFailure: Reason | null;
  /** The speed limits in force, and why there are none. */
  speeds: SpeedLimit[];
  speedFailure: Reason | null;
  /** Remembers the panel it obeys. @throws Superseded */
  obey(own: Generation): void;
  /** The same machine for one panel, which it may obey. `own` answers that panel's generation. */
  forPanel(own: () => Promise<Generation>): Host;
  /** Adds a device's traffic to its raw counters, on an interface if it is on several; `at` is the handshake's time, ms. */
  use(publicKey: string, bytes: { rx: number; tx: number }, at: number, interfaceName?: string): void;
  /** As after a power cut: no interfaces, no counters. */
  reboot(): void;
  /** The machine restores its tunnels without the panel; their counters start at zero. */
  rebootAndRestore(): void;
  /** Peers that packets can pass to or from. */
  peers(): ActualPeer[];
  /** Those of one interface, silenced ones too, without the panel's own, which has no address by design. */
  devicesOn(interfaceName: string): ActualPeer[];
}

/** What only the panel that the machine obeys may call. */
const CHANGES = new Set<string | symbol>([
  "apply",
  "applyPeers",
  "applyAccess",
  "applySpeeds",
  "look",
] satisfies (keyof Host)[]);

export function makeFakeHost({ address = "198.51.100.7" }: { address?: string } = {}): FakeHost {
  const interfaces = new Map<string, FakeInterface>();
  const addresses = new Map<string, readonly string[]>();
  const calls = { reach: 0, apply: 0, applyPeers: 0, applyAccess: 0, read: 0 };
  const ownPeers = new Set<string>();
  const obeyed = new Map<string, Remembered>();
  const lives = new WeakMap<FakeInterface, string>();
  let begun = 0;
  const lifeOf = (target: FakeInterface): string => {
    const life = lives.get(target) ?? `life-${++begun}`;
    lives.set(target, life);
    return life;
  };
  const readAll = (): ReadInterface[] =>
    [...interfaces.values()].map((each) => ({ ...structuredClone(each), life: lifeOf(each) }));
  const foreign: Occupied = { interfaceNames: [], udpPorts: [], subnets: [], kernelTunnels: [] };
  const answer = () => {
    if (host.away !== null) throw new HostUnreachable(reason("machine.said", {}, host.away));
  };
  const toActual = (peer: DesiredPeer, before: ActualPeer | undefined): ActualPeer => ({
    hasEndpoint: false,
    lastHandshakeAt: null,
    rxBytes: 0,
    txBytes: 0,
    persistentKeepalive: null,
    ...before,
    ...without(peer),
    ...(peer.endpoint && { hasEndpoint: true }),
    ...(peer.keepaliveS && { persistentKeepalive: peer.keepaliveS }),
  });
  const without = ({ endpoint: _, keepaliveS: __, ...peer }: DesiredPeer) => peer;
  const change = (
    target: FakeInterface,
    upsert: readonly DesiredPeer[],
    remove: readonly string[],
    silence: readonly string[] = [],
  ) => {
    const removedPeers: RemovedPeer[] = [];
    const addedPeers: PeerOn[] = [];
    const interfaceKey = target.publicKey as PublicKey;
    for (const peer of target.peers.filter((candidate) => remove.includes(candidate.publicKey)))
      removedPeers.push(removed(interfaceKey, lifeOf(target), peer));
    target.peers = target.peers.filter((peer) => !remove.includes(peer.publicKey));
    for (const peer of target.peers) if (silence.includes(peer.publicKey)) peer.allowedIps = [];
    for (const wanted of upsert) {
      if (wanted.allowedIps.length === 0) ownPeers.add(wanted.publicKey);
      const at = target.peers.findIndex((peer) => peer.publicKey === wanted.publicKey);
      if (at === -1) addedPeers.push({ interfaceKey, publicKey: wanted.publicKey });
      // Like the real one: an address belongs to the peer that claimed it last.
      for (const peer of target.peers)
        if (peer.publicKey !== wanted.publicKey)
          peer.allowedIps = peer.allowedIps.filter((ip) => !wanted.allowedIps.includes(ip));
      const next = toActual(wanted, target.peers[at]);
      if (at === -1) target.peers.push(next);
      else target.peers[at] = next;
    }
    return { addedPeers, removedPeers };
  };
  const removed = (
    interfaceKey: PublicKey,
    life: string,
    { publicKey, rxBytes, txBytes, lastHandshakeAt }: ActualPeer,
  ): RemovedPeer => ({
    interfaceKey,
    life,
    publicKey,
    rxBytes,
    txBytes,
    lastHandshakeAt,
  });
  const create = ({ name, type = "wireguard", publicKey, listenPort }: DesiredInterface): FakeInterface => ({
    name,
    type,
    publicKey,
    listenPort,
    fwmark: null,
    peers: [],
  });

  const host: FakeHost = {
    interfaces,
    addresses,
    foreign,
    calls,
    away: null,
    surroundings: { down: [], forwarding: { v4: true, v6: true }, notForwarding: [], refusals: [], hasFirewall: true },
    machine: "the-first",
    amneziawg: { lacks: null, module: null },
    missing: [],
    state: {
      hostName: "vpn-1",
      cpuUsage: 14,
      cpuTimes: { idle: 1_200_000, total: 1_400_000 },
      cores: 4,
      memory: { total: 8 * 2 ** 30, free: 5.5 * 2 ** 30 },
      uptimeS: 41 * 86_400 + 7_000,
      load: [0.42, 0.37, 0.31],
      network: { in: 812 * 2 ** 30, out: 846 * 2 ** 30 },
      address,
    },
    path: null,
    echoing: null,
    counted: null,
    closedBy: [],
    isOpened: false,
    namesFailure: null,
    speeds: [],
    speedFailure: null,
    access: NO_ACCESS_RULES,
    async reach() {
      calls.reach++;
      answer();
    },
    inspect: async () => ({
      backend: "userspace",
      missing: host.missing,
      install: null,
      amneziawg: host.amneziawg,
      machine: host.machine,
    }),
    async read() {
      calls.read++;
      answer();
      return readAll();
    },
    async readSome(names) {
      answer();
      return readAll().filter(({ name }) => names.includes(name));
    },
    async look() {
      answer();
      return { interfaces: readAll(), ...host.surroundings };
    },
    async apply(desired) {
      calls.apply++;
      if (host.missing.length > 0) throw new HostRefused(host.missing[0]?.why ?? reason("local.cannot"));
      answer();
      const result = {
        addedPeers: [] as PeerOn[],
        removedPeers: [] as RemovedPeer[],
        conflicts: [],
        firewallFailure: null,
        openingFailure: null,
        namesFailure: host.namesFailure,
        speedFailure: host.speedFailure,
        spared: [] as Applied["spared"],
        lostPeers: [] as PeerOn[],
        seen: null as ReadInterface[] | null,
      };
      host.access = structuredClone(desired.access);
      host.speeds = structuredClone(desired.speeds ?? []);
      host.isOpened = desired.opensForwarding === true;
      for (const [name, actual] of interfaces) {
        const key = actual.publicKey;
        if (key === null || !desired.ownKeys.includes(key) || desired.interfaces.some((wanted) => wanted.name === name))
          continue;
        result.removedPeers.push(...actual.peers.map((peer) => removed(key, lifeOf(actual), peer)));
        interfaces.delete(name);
      }
      for (const wanted of desired.interfaces) {
        const { desired: sparing, spared, lost } = withSpared(wanted, interfaces.get(wanted.name) ?? null);
        result.lostPeers.push(...lost.map((publicKey) => ({ interfaceKey: wanted.publicKey, publicKey })));
        if (wanted.known) result.spared.push({ interfaceKey: wanted.publicKey, peers: structuredClone(spared) });
        const changes = plan(sparing, interfaces.get(wanted.name) ?? null);
        const present = interfaces.get(wanted.name);
        const target = present?.type === (wanted.type ?? "wireguard") ? present : create(wanted);
        interfaces.set(wanted.name, target);
        addresses.set(wanted.name, wanted.addresses);
        if (changes.setPrivateKey) target.publicKey = wanted.publicKey;
        target.listenPort = wanted.listenPort;
        if (wanted.parameters) target.parameters = wanted.parameters;
        const { addedPeers, removedPeers } = change(target, changes.upsert, changes.remove);
        result.addedPeers.push(...addedPeers);
        result.removedPeers.push(...removedPeers);
      }
      const isAsSeen = result.addedPeers.length === 0 && result.removedPeers.length === 0;
      if (isAsSeen) result.seen = readAll();
      return result;
    },
    async applyPeers({ interfaceName, interfaceKey, upsert, silence, remove }) {
      calls.applyPeers++;
      answer();
      const target = interfaces.get(interfaceName);
      if (target?.publicKey !== interfaceKey)
        throw new HostRefused(reason("interface.missing", { name: interfaceName }));
      return change(target, upsert, remove, silence);
    },
    async applyAccess(access) {
      calls.applyAccess++;
      answer();
      host.access = structuredClone(access);
    },
    async applySpeeds(speeds) {
      answer();
      host.speeds = structuredClone(speeds);
      return host.speedFailure;
    },
    async lackingSpeeds(speeds) {
      answer();
      const inForce = new Set(host.speeds.map((each) => JSON.stringify(each)));
      return speeds.filter((each) => !inForce.has(JSON.stringify(each))).length;
    },
    async readMachine() {
      answer();
      return host.state;
    },
    async occupied() {
      answer();
      return {
        interfaceNames: [...interfaces.keys(), ...foreign.interfaceNames],
        udpPorts: [...[...interfaces.values()].map(({ listenPort }) => listenPort), ...foreign.udpPorts],
        subnets: foreign.subnets,
        kernelTunnels: foreign.kernelTunnels,
      };
    },
    async passing() {
      answer();
      return host.counted;
    },
    async refusing() {
      answer();
      return host.isOpened ? [] : host.closedBy;
    },
    async pathMtu() {
      answer();
      return host.path;
    },
    async echoes() {
      answer();
      return host.echoing;
    },
    defaultEndpoint: async () => address,
    obey({ club, ...own }) {
      const seen = obeyed.get(club);
      if (seen !== undefined && isSuperseded(own, seen)) throw new Superseded(seen);
      obeyed.set(club, own);
    },
    forPanel(own) {
      const guarded =
        <Args extends unknown[], Answer>(work: (...args: Args) => Promise<Answer>) =>
        async (...args: Args) => {
          try {
            host.obey(await own());
          } catch (error) {
            throw error instanceof Superseded ? new HostSuperseded(error.why, { by: error.by }) : error;
          }
          return work(...args);
        };
      // Looked up at each call, because tests replace what a machine does.
      return new Proxy<Host>(host, {
        get(machine, name) {
          const member: unknown = Reflect.get(machine, name);
          return typeof member === "function" && CHANGES.has(name) ? guarded(member as never) : member;
        },
      });
    },
    use(publicKey, bytes, at, interfaceName) {
      const peers = interfaceName === undefined ? host.peers() : interfaces.get(interfaceName)?.peers;
      const peer = peers?.find((candidate) => candidate.publicKey === publicKey && candidate.allowedIps.length > 0);
      if (peer === undefined) throw new Error("no such peer on the wire");
      peer.rxBytes += bytes.rx;
      peer.txBytes += bytes.tx;
      peer.lastHandshakeAt = at;
    },
    reboot() {
      interfaces.clear();
      host.access = NO_ACCESS_RULES;
    },
    rebootAndRestore() {
      for (const [name, { peers, ...rest }] of interfaces)
        interfaces.set(name, {
          ...rest,
          peers: peers.map((peer) => ({ ...peer, rxBytes: 0, txBytes: 0, lastHandshakeAt: null })),
        });
    },
    devicesOn: (name) => (interfaces.get(name)?.peers ?? []).filter(({ publicKey }) => !ownPeers.has(publicKey)),
    peers: () =>
      [...interfaces.values()].flatMap(({ peers }) => peers.filter(({ allowedIps }) => allowedIps.length > 0)),
  };
  return host;
}
