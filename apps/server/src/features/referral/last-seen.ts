import { REFERRAL_SEEN_WITHIN_MS } from "@krug/domain/referral";
import type { ReferralParts } from "./parts.ts";

/**
 * When each of these members, or everyone (null), last connected, ms; absent who did not within the time that counts.
 * A device that was deleted since still was his.
 */
export async function lastSeen(
  { db, clock, configs, traffic }: ReferralParts,
  memberIds: readonly string[] | null,
): Promise<Map<string, number>> {
  const owners = await configs.ownersOf(db, memberIds);
  const handshakes = await traffic.handshakesSince(
    db,
    clock.now().getTime() - REFERRAL_SEEN_WITHIN_MS,
    memberIds === null ? null : owners.map((row) => row.id),
  );
  const seen = new Map<string, number>();
  for (const { id, member_id } of owners) {
    const at = handshakes.get(id);
    if (at !== undefined && at > (seen.get(member_id) ?? 0)) seen.set(member_id, at);
  }
  return seen;
}
