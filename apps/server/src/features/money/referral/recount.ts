import { earnedByReferral, REFERRAL_FRIENDS, whyNotCounting } from "@krug/domain/referral";
import { letOthersIn, slices } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { type FriendRow, memberStandingChanged } from "../../members/members/index.ts";
import { referralEarned, referralLost } from "./events.ts";
import type { ReferralParts } from "./parts.ts";
import { standingOfFriend } from "./standing-of-friend.ts";

/** Inviters recalculated at once. */
const AT_ONCE = 200;
/** Friends read at once in a full recount. */
const READ_AT_ONCE = 1_000;

interface Change {
  id: string;
  isEarned: boolean;
}

/** Calculates who earned a subscription through friends, and records changes, so that peers and screens follow. */
export function makeRecount({ db, transact, clock, events, settings, members }: ReferralParts) {
  const note = async (tx: Tx, { id, isEarned }: Change): Promise<void> => {
    if (!(await members.setReferral(tx, id, isEarned ? clock.now().getTime() : null))) return;
    await events.record(tx, memberStandingChanged, { memberId: id });
    await events.record(tx, isEarned ? referralEarned : referralLost, { memberId: id });
  };

  /** Those of these inviters whose recorded result differs from what their friends earn them now. */
  const changesAmong = async (over: Db | Tx, ids: readonly string[]): Promise<Change[]> => {
    const club = await settings.read(over);
    const now = clock.now().getTime();
    const friendsOf = groupBy(await members.friendsOfThese(over, ids), (row) => row.friend_of);
    return (await members.byIds(over, ids)).flatMap(({ id, referral_earned_at }) => {
      const counting = (friendsOf.get(id) ?? []).filter(
        (row) => whyNotCounting(standingOfFriend(row, club), now) === null,
      );
      const isEarned = counting.length >= REFERRAL_FRIENDS;
      return isEarned === (referral_earned_at !== null) ? [] : [{ id, isEarned }];
    });
  };

  /**
   * Recounts only these inviters, from their friends' recorded standing. A change is a change of a friend of the next inviter up
   * the tree, who is recounted in turn (index.ts). The tree has no cycles: everyone joined after their inviter.
   */
  const of = async (inviterIds: readonly string[]): Promise<void> => {
    for await (const some of slices([...new Set(inviterIds)].sort(), AT_ONCE)) {
      const ids = (await changesAmong(db, some)).map(({ id }) => id).sort();
      if (ids.length === 0) continue;
      await transact(async (tx) => {
        // If two panels recount at once, the second sees what the first has recorded.
        await members.lockAll(tx, ids);
        for (const change of await changesAmong(tx, ids)) await note(tx, change);
      });
    }
  };

  return {
    of,
    /** Recounts everyone from scratch; the queries are short, and if nothing changed, nothing is written. */
    async all(): Promise<void> {
      const now = clock.now().getTime();
      const held = new Set(await members.idsWithReferral(db));
      const club = await settings.read(db);
      const friends: { id: string; friendOf: string; standing: ReturnType<typeof standingOfFriend> }[] = [];
      for (let after = ""; ; ) {
        const rows: FriendRow[] = await members.friendsAfter(db, after, READ_AT_ONCE);
        for (const row of rows)
          friends.push({ id: row.id, friendOf: row.friend_of, standing: standingOfFriend(row, club) });
        const last = rows.at(-1);
        if (last === undefined || rows.length < READ_AT_ONCE) break;
        after = last.id;
        await letOthersIn();
      }
      const earned = earnedByReferral(friends, now);
      const changes = [...[...earned].filter((id) => !held.has(id)), ...[...held].filter((id) => !earned.has(id))];
      // Recounted under their locks: a friend's standing may have changed since it was read.
      await of(changes);
    },
  };
}
