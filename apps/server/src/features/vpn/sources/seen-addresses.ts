import { ADDRESS_KEPT_MS, MOST_ADDRESSES } from "@krug/domain/source-rules";
import { minimalCidrs } from "@krug/wireguard/addresses";

/** A domain's networks: those found now, and those of the last day. `before`: as stored. */
export function stillSeen(before: string | null, found: readonly string[], now: number) {
  const known = Object.entries(JSON.parse(before ?? "{}") as Record<string, number>);
  // A clock that was ahead wrote moments that have not come yet.
  const past = known.map(([network, at]) => [network, Math.min(at, now)] as const);
  const seen = new Map(past.filter(([, at]) => now - at < ADDRESS_KEPT_MS));
  for (const network of found) seen.set(network, now);
  const newest = [...seen].sort(([, a], [, b]) => b - a).slice(0, MOST_ADDRESSES);
  return {
    networks: minimalCidrs(newest.map(([network]) => network)),
    seen: JSON.stringify(Object.fromEntries(newest)),
  };
}
