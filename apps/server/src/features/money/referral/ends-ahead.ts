import { HOUR_MS } from "@krug/domain/moment";
import { countsUntil, lastNeeded, whyNotCounting } from "@krug/domain/referral";
import { groupBy } from "../../../platform/group-by.ts";
import type { ReferralParts } from "./parts.ts";
import { standingOfFriend } from "./standing-of-friend.ts";

/** A subscription earned by friends that will end with one of theirs. */
export interface EndAhead {
  /** When the subscription that it all depends on ends, ms, without grace hours. */
  endsAt: number;
  friendId: string;
  /** The friend's name. */
  friend: string;
}

/**
 * Whose subscription by friends will end within a span of time, because a friend's own subscription does, or one that this
 * friend's friends earn. It assumes that nobody goes silent and nobody pays meanwhile.
 */
export const makeEndsAhead =
  ({ db, clock, settings, members }: ReferralParts) =>
  async (withinMs: number): Promise<Map<string, EndAhead>> => {
    const now = clock.now().getTime();
    const club = await settings.read(db);
    const graceMs = club.graceHours * HOUR_MS;
    const latest = now + withinMs;
    const found = new Map<string, EndAhead>();
    let toLookAt = await members.keptByFriendsEnding(db, now - graceMs, latest);
    while (toLookAt.length > 0) {
      const friendsOf = groupBy(await members.friendsOfThese(db, toLookAt), (row) => row.friend_of);
      const sooner = new Set<string>();
      for (const id of toLookAt) {
        const counting = (friendsOf.get(id) ?? []).flatMap((row) => {
          const friend = standingOfFriend(row, club);
          if (whyNotCounting(friend, now) !== null) return [];
          const byFriends = found.get(row.id)?.endsAt;
          const until = countsUntil(friend, byFriends === undefined ? Number.POSITIVE_INFINITY : byFriends + graceMs);
          return [{ until, id: row.id, name: row.display_name }];
        });
        const last = lastNeeded(counting);
        if (last === undefined) continue;
        const endsAt = last.until - graceMs;
        if (endsAt > latest || endsAt >= (found.get(id)?.endsAt ?? Number.POSITIVE_INFINITY)) continue;
        found.set(id, { endsAt, friendId: last.id, friend: last.name });
        sooner.add(id);
      }
      // Those who depend on them lose it no later. Ends only get earlier, so this terminates.
      const above = (await members.byIds(db, [...sooner])).flatMap((row) => row.friend_of ?? []);
      toLookAt = (await members.byIds(db, [...new Set(above)]))
        .filter((row) => row.referral_earned_at !== null)
        .map((row) => row.id);
    }
    return found;
  };
