import type { SpeedLimit } from "../../../hosts/host.ts";
import type { ReconcilerParts } from "./parts.ts";

/**
 * Members' speed limits on these interfaces, by key. A member's addresses are those of all their devices there, on the wire or
 * not.
 */
export async function desiredSpeeds(
  { db, configs }: Pick<ReconcilerParts, "db" | "configs">,
  limits: ReadonlyMap<string, number>,
  interfaceIds: readonly string[],
): Promise<SpeedLimit[]> {
  if (limits.size === 0) return [];
  const addresses = await configs.addressesOf(db, [...limits.keys()], interfaceIds);
  return [...addresses]
    .map(([key, sources]) => ({ key, mbit: limits.get(key) ?? 0, sources: sources.sort() }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
