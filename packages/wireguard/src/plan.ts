import { formatCidr, minimalCidrs, requireCidr } from "./addresses.ts";
import type { ActualInterface, ActualPeer, DesiredInterface, DesiredPeer } from "./interface.ts";
import type { PublicKey } from "./key-text.ts";
import { drift, mustBeMadeAnew, type TunnelParameters, type TunnelProtocol, WIREGUARD } from "./protocol.ts";

/** What turns an interface's actual state into its desired state. */
export interface InterfacePlan {
  create: boolean;
  /** A parameter cannot be removed, so the interface must be recreated; the other steps are then those of a new one. */
  recreate: boolean;
  setPrivateKey: boolean;
  setListenPort: boolean;
  /** The protocol's own fields that differ, by name; empty if none does. */
  setParameters: TunnelParameters;
  /** Peers to add or correct, each complete (see writePeers). Peers that are right already are never listed. */
  upsert: DesiredPeer[];
  /** Those of `upsert` that do not exist yet. */
  add: PublicKey[];
  remove: PublicKey[];
}

const checked = new WeakMap<readonly DesiredPeer[], ReadonlyMap<PublicKey, DesiredPeer>>();

/** @throws as `plan` */
function consistentByKey(peers: readonly DesiredPeer[]): ReadonlyMap<PublicKey, DesiredPeer> {
  const known = checked.get(peers);
  if (known !== undefined) return known;
  refuseContradictions(peers);
  const byKey = new Map(peers.map((peer) => [peer.publicKey, peer]));
  checked.set(peers, byKey);
  return byKey;
}

/** By desired peers: the actual peers that were found to match them. */
const foundRight = new WeakMap<readonly DesiredPeer[], readonly ActualPeer[]>();

/** The desired state contradicts itself; applying it would silently move one member's traffic to another. */
export class DesiredStateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "DesiredStateError";
  }
}

/**
 * The changes from `actual` (null: there is no such interface) to `desired`. The caller must check first whether the interface is
 * ours to touch. Apply `remove` before `upsert`; within `upsert` any order ends the same. Throws DesiredStateError if a public
 * key appears twice or two peers claim one address, RangeError on a bad CIDR or parameter. A list of peers is searched for
 * contradictions once, and compared with another once, so neither may be changed afterwards.
 */
export function plan(
  desired: DesiredInterface,
  actual: ActualInterface | null,
  protocol: TunnelProtocol = WIREGUARD,
): InterfacePlan {
  const byKey = consistentByKey(desired.peers);
  const parameters = desired.parameters ?? undefined;
  if (actual !== null && mustBeMadeAnew(protocol, parameters, actual.parameters))
    return { ...plan(desired, null, protocol), create: true, recreate: true };
  const settings = {
    create: actual === null,
    recreate: false,
    setPrivateKey: actual?.publicKey !== desired.publicKey,
    setListenPort: actual?.listenPort !== desired.listenPort,
    setParameters: drift(protocol, parameters, actual?.parameters),
  };
  // True nearly always, so it costs no more than one check of each, and nothing if both lists are unchanged.
  const areRight =
    actual !== null &&
    (foundRight.get(desired.peers) === actual.peers ||
      (actual.peers.length === byKey.size && actual.peers.every((peer) => isRight(byKey.get(peer.publicKey), peer))));
  if (areRight) {
    foundRight.set(desired.peers, actual.peers);
    return { ...settings, upsert: [], add: [], remove: [] };
  }
  const now = new Map(actual?.peers.map((peer) => [peer.publicKey, peer]));
  const upsert = desired.peers.filter((peer) => !isRight(peer, now.get(peer.publicKey)));
  return {
    ...settings,
    upsert,
    add: upsert.map(({ publicKey }) => publicKey).filter((publicKey) => !now.has(publicKey)),
    remove: [...now.keys()].filter((publicKey) => !byKey.has(publicKey)),
  };
}

/** Is there nothing to do? */
export function isEmptyPlan({ create, remove, ...steps }: InterfacePlan): boolean {
  return !create && remove.length === 0 && !setsAnything(steps);
}

/** Is there anything to set on the interface, apart from creating it and removing peers? */
export function setsAnything({
  setPrivateKey,
  setListenPort,
  setParameters,
  upsert,
}: Pick<InterfacePlan, "setPrivateKey" | "setListenPort" | "setParameters" | "upsert">): boolean {
  return setPrivateKey || setListenPort || Object.keys(setParameters).length > 0 || upsert.length > 0;
}

function isRight(desired: DesiredPeer | undefined, actual: ActualPeer | undefined): boolean {
  return (
    desired !== undefined &&
    actual !== undefined &&
    desired.presharedKey === actual.presharedKey &&
    (desired.endpoint === undefined || actual.hasEndpoint) &&
    (desired.keepaliveS === undefined || desired.keepaliveS === actual.persistentKeepalive) &&
    sameNetworks(desired.allowedIps, actual.allowedIps)
  );
}

function sameNetworks(a: readonly string[], b: readonly string[]): boolean {
  // By far the most common case: the same number, written alike.
  if (a.length === b.length && a.every((cidr) => b.includes(cidr)) && b.every((cidr) => a.includes(cidr))) return true;
  const left = new Set(a.map((text) => formatCidr(requireCidr(text))));
  const right = new Set(b.map((text) => formatCidr(requireCidr(text))));
  return left.size === right.size && [...left].every((cidr) => right.has(cidr));
}

function refuseContradictions(peers: readonly DesiredPeer[]): void {
  const keys = new Set(peers.map(({ publicKey }) => publicKey));
  if (keys.size !== peers.length) throw new DesiredStateError("Two peers have one public key");
  // A peer's minimal set has no overlaps within itself, so after sorting any overlap is between neighbours of two peers.
  const claims = peers
    .flatMap(({ allowedIps }) => (allowedIps.length > 1 ? minimalCidrs(allowedIps) : allowedIps).map(requireCidr))
    .sort((a, b) => a.family - b.family || (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  claims.forEach((claim, index) => {
    const before = claims[index - 1];
    if (before !== undefined && before.family === claim.family && claim.first <= before.last) {
      throw new DesiredStateError(`Two peers claim ${formatCidr(claim)}`);
    }
  });
}
