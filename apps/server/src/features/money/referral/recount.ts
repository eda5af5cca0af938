import { earnedByReferral, REFERRAL_FRIENDS, whyNotCounting } from "@krug/domain/referral";
import { letOthersIn, slices } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { type FriendRow, memberStandingChanged } from "../../members/members/index.ts";
import { referralEarned, referralLost } from "./events.ts";
import type { ReferralParts } from "./parts.ts";
import { standingOfFriend } from "./standing-of-friend.ts";

/** Inviters worked out in one go. */
const AT_ONCE = 200;
/** Friends read in one go, where all are. */
const READ_AT_ONCE = 1_000;

interface Change {
  id: string;
  isEarned: boolean;
}

/** Works out who earned a subscription through friends, and notes changes, so that peers and screens follow. */
export function makeRecount({ db, transact, clock, events, settings, members }: ReferralParts) {
  const note = async (tx: Tx, { id, isEarned }: Change): Promise<void> => {
    if (!(await members.setReferral(tx, id, isEarned ? clock.now().getTime() : null))) return;
    await events.record(tx, memberStandingChanged, { memberId: id });
    await events.record(tx, isEarned ? referralEarned : referralLost, { memberId: id });
  };

  /** Those of these inviters whose friends earn them now what is not noted yet, or no longer what is. */
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
   * Only of these inviters, from what is noted of their friends. A change of one of them is a change of a friend of the next
   * up the tree, who is asked after in turn (index.ts). The tree has no circles: everyone joined after their inviter.
   */
  const of = async (inviterIds: readonly string[]): Promise<void> => {
    for await (const some of slices([...new Set(inviterIds)].sort(), AT_ONCE)) {
      const ids = (await changesAmong(db, some)).map(({ id }) => id).sort();
      if (ids.length === 0) continue;
      await transact(async (tx) => {
        // Of two panels that look at once the second sees what the first has noted.
        await members.lockAll(tx, ids);
        for (const change of await changesAmong(tx, ids)) await note(tx, change);
      });
    }
  };

  return {
    of,
    /** Of everyone, from nothing; the queries are short, and if nothing changed, nothing is written. */
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
      // Looked at once more, each under its lock: a friend's standing may have changed since they were read.
      await of(changes);
    },
  };
}
