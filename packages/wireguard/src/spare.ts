import { type Cidr, formatCidr, readAddress, requireCidr } from "./addresses.ts";
import type { ActualInterface, ActualPeer, DesiredInterface, DesiredPeer } from "./interface.ts";
import type { PublicKey } from "./key-text.ts";

export interface Spared {
  /** The interface as it should be, with the spared peers among its own. */
  desired: DesiredInterface;
  /** In the order of their v4 addresses. */
  spared: ActualPeer[];
  /** Those of `unreadable` that the interface does not have either. */
  lost: PublicKey[];
}

/** With the peers that stay although the panel cannot write them itself. The result is for `plan`. */
export function withSpared({ unreadable, ...desired }: DesiredInterface, actual: ActualInterface | null): Spared {
  // The same list of peers: `plan` compares it once.
  if (unreadable === undefined) return { ...withForgotten(desired, actual), lost: [] };
  const now = new Map(actual?.peers.map(({ publicKey, presharedKey }) => [publicKey, presharedKey]));
  const kept = unreadable.flatMap((peer) => {
    const presharedKey = now.get(peer.publicKey);
    return presharedKey === undefined ? [] : [{ ...peer, presharedKey }];
  });
  const lost = unreadable.flatMap(({ publicKey }) => (now.has(publicKey) ? [] : [publicKey]));
  return { ...withForgotten({ ...desired, peers: [...desired.peers, ...kept] }, actual), lost };
}

/**
 * For an interface whose panel may have forgotten peers: existing peers that are not `known` stay if they look like a panel's:
 * one address of the interface's v4 subnet that is not its own, and at most one of its v6 subnet. A desired peer that claims one
 * of their addresses waits: taking it would cut off a working device.
 */
function withForgotten(
  { known, ...desired }: DesiredInterface,
  actual: ActualInterface | null,
): Pick<Spared, "desired" | "spared"> {
  if (known === undefined) return { desired, spared: [] };
  const wanted = new Set(desired.peers.map(({ publicKey }) => publicKey));
  const spared = (actual?.peers ?? [])
    .filter(({ publicKey }) => !wanted.has(publicKey) && !known.has(publicKey))
    .flatMap((peer) => {
      const place = placeOf(peer, desired.addresses);
      return place === null ? [] : [{ peer, place }];
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ peer }) => peer);
  if (spared.length === 0) return { desired, spared };
  const held = new Set(spared.flatMap(({ allowedIps }) => allowedIps.map(canonical)));
  const isFree = ({ allowedIps }: DesiredPeer) => !allowedIps.some((cidr) => held.has(canonical(cidr)));
  const own = spared.map(({ publicKey, presharedKey, allowedIps }) => ({ publicKey, presharedKey, allowedIps }));
  return { desired: { ...desired, peers: [...own, ...desired.peers.filter(isFree)] }, spared };
}

const canonical = (cidr: string) => formatCidr(requireCidr(cidr));

/** The v4 address as a number; null if no panel would make such a peer. */
function placeOf({ allowedIps }: ActualPeer, addresses: readonly string[]): bigint | null {
  const claimed = allowedIps.map(requireCidr);
  const isDevice = ({ family, first, last }: Cidr) =>
    first === last &&
    addresses.some((own) => {
      const subnet = requireCidr(own);
      const isTaken = first === subnet.first || first === subnet.last || first === readAddress(bare(own))?.value;
      return subnet.family === family && subnet.first <= first && first <= subnet.last && !isTaken;
    });
  const v4 = claimed.filter(({ family }) => family === 4);
  const isOneDevice = v4.length === 1 && claimed.length <= 2 && claimed.every(isDevice);
  return isOneDevice ? (v4[0]?.first ?? null) : null;
}

const bare = (address: string) => address.split("/")[0] ?? "";
