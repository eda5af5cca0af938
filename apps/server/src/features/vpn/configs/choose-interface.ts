import type { AvailableInterfaceAnswer } from "@krug/contract/vpn/configs";
import { addressesRunLow } from "@krug/domain/address-pool";
import type { TunnelType } from "@krug/wireguard/protocol";
import { capacityOf, endpointOf, type Place } from "../interfaces/index.ts";

type Unusable = NonNullable<AvailableInterfaceAnswer["reason"]>;

/** Why no new config can be made on this interface, or null. `used`: how many of its addresses are taken. */
export function whyUnusable(place: Place, used: number): Unusable | null {
  if (place.server.is_setup_complete === 0 || endpointOf(place) === null) return "server_unready";
  // After a restore it is not known which addresses are in use there.
  if (place.interface.first_look_due === 1) return "server_unready";
  if (place.interface.is_active === 0 || place.interface.conflict !== null) return "inactive";
  if (place.server.takes_new === 0 || place.interface.takes_new === 0) return "server_closed";
  return used >= capacityOf(place.interface.subnet) ? "full" : null;
}

/** The state of a place before it is chosen. `used`: how many of its addresses are taken. */
export function stateOf(place: Place, used: number): AvailableInterfaceAnswer["serverState"] {
  if (place.server.unreachable_since !== null) return "silent";
  const capacity = capacityOf(place.interface.subnet);
  return addressesRunLow(capacity - used, capacity) ? "busy" : "answers";
}

/**
 * The interface `suggested` if it can be used, else the least loaded of those that can. Another type of tunnel than `type` is
 * taken only if there is no other: the device would need another app.
 */
export function preferredPlace(
  places: readonly Place[],
  load: ReadonlyMap<string, number>,
  { suggested, type = "wireguard" }: { suggested?: string | null | undefined; type?: TunnelType },
): Place | null {
  const place = places.find((candidate) => candidate.interface.id === suggested);
  if (place && whyUnusable(place, load.get(place.interface.id) ?? 0) === null) return place;
  const alike = places.filter((candidate) => candidate.interface.type === type);
  return leastLoaded(alike, load) ?? leastLoaded(places, load);
}

/** The least loaded of those that can be used: by share of their addresses, the oldest of equals. */
function leastLoaded(places: readonly Place[], load: ReadonlyMap<string, number>): Place | null {
  let best: { place: Place; share: number } | null = null;
  for (const place of places) {
    const used = load.get(place.interface.id) ?? 0;
    if (whyUnusable(place, used) !== null) continue;
    const share = used / capacityOf(place.interface.subnet);
    if (best === null || share < best.share) best = { place, share };
  }
  return best?.place ?? null;
}
