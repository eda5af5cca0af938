import { earnedByReferral, REFERRAL_FRIENDS } from "@krug/domain/referral";
import { memberStandingChanged, standingOf } from "../members/index.ts";
import { lastSeen } from "./last-seen.ts";
import type { ReferralParts } from "./parts.ts";

/**
 * Works out who earned a subscription through friends, and notes changes, so that peers and screens follow. No
 * query is inside a transaction, and all are short; if nothing changed, nothing is written.
 */
export function makeRecount(parts: ReferralParts) {
  const { db, transact, clock, events, settings, members } = parts;
  return async (): Promise<void> => {
    const now = clock.now().getTime();
    const held = new Set(await members.idsWithReferral(db));
    const friends = await members.allFriends(db);
    if (held.size === 0 && friends.length < REFERRAL_FRIENDS) return;
    const club = await settings.read(db);
    const seen = await lastSeen(
      parts,
      friends.map((row) => row.id),
    );
    const earned = earnedByReferral(
      friends.map((row) => ({
        id: row.id,
        friendOf: row.friend_of,
        standing: {
          ...standingOf(row, club),
          subscriptionIsTrial: row.subscription_source === "trial",
          lastHandshakeAt: seen.get(row.id) ?? null,
        },
      })),
      now,
    );
    const changes = [
      ...[...earned].filter((id) => !held.has(id)).map((id) => ({ id, at: now })),
      ...[...held].filter((id) => !earned.has(id)).map((id) => ({ id, at: null })),
    ];
    if (changes.length === 0) return;
    await transact(async (tx) => {
      // In one order, so that two panels that recount at once wait for each other and not around in a circle.
      for (const { id, at } of changes.sort((a, b) => (a.id < b.id ? -1 : 1)))
        if (await members.setReferral(tx, id, at)) await events.record(tx, memberStandingChanged, { memberId: id });
    });
  };
}
