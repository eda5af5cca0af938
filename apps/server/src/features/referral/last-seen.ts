import { REFERRAL_SEEN_WITHIN_MS } from "@krug/domain/referral";
import { slices } from "../../platform/database/chunks.ts";
import type { ReferralParts } from "./parts.ts";

/** Members looked up in one go. */
const AT_ONCE = 200;

/**
 * When each of these members last connected, ms; absent who did not within the time that counts. A device that was deleted
 * since still was his.
 */
export async function lastSeen(
  { db, clock, configs, traffic }: ReferralParts,
  memberIds: readonly string[],
): Promise<Map<string, number>> {
  const since = clock.now().getTime() - REFERRAL_SEEN_WITHIN_MS;
  const seen = new Map<string, number>();
  for await (const some of slices(memberIds, AT_ONCE)) {
    const owners = await configs.ownersOf(db, some);
    const handshakes = await traffic.handshakesSince(
      db,
      since,
      owners.map((row) => row.id),
    );
    for (const { id, member_id } of owners) {
      const at = handshakes.get(id);
      if (at !== undefined && at > (seen.get(member_id) ?? 0)) seen.set(member_id, at);
    }
  }
  return seen;
}
