import { type EntitlementStanding, entitlement } from "./entitlement.ts";
import { DAY_MS, type Moment, msOf } from "./moment.ts";

/** Friends who use the club, and with whom the subscription is free (user-side, section 9). */
export const REFERRAL_FRIENDS = 3;
/** A friend uses the club when one of his devices connected within this time (decisions, section 4). */
export const REFERRAL_SEEN_WITHIN_MS = 30 * DAY_MS;

/** What decides whether an invited friend counts for whoever invited him. */
export interface FriendStanding extends EntitlementStanding {
  /** The subscription that runs now is the trial he joined with. */
  subscriptionIsTrial: boolean;
  /** The latest of all his devices, ms since 1970; null when none ever connected. */
  lastHandshakeAt: number | null;
}

export type NotCountingReason = "blocked" | "no_subscription" | "on_trial" | "no_handshake";

/** A right of his own: by payment, grant, unlimited flag or referral. The trial was given, not chosen, and is none. */
export function hasOwnSubscription(friend: FriendStanding, now: Moment): boolean {
  const reason = whyNotCounting(friend, now);
  return reason === null || reason === "no_handshake";
}

/** The first reason why this friend does not count for his inviter now, or null (decisions, section 4). */
export function whyNotCounting(friend: FriendStanding, now: Moment): NotCountingReason | null {
  const { allowed, reason } = entitlement(friend, now);
  if (reason === "blocked") return "blocked";
  if (!allowed) return "no_subscription";
  // Who earned by his own friends while his trial still runs has more than the trial.
  if (reason === "subscription" && friend.subscriptionIsTrial && !friend.referralEarned) return "on_trial";
  const { lastHandshakeAt } = friend;
  const seen = lastHandshakeAt !== null && lastHandshakeAt > msOf(now) - REFERRAL_SEEN_WITHIN_MS;
  return seen ? null : "no_handshake";
}

/** An invited member; `referralEarned` of his standing is not looked at: it is what is worked out here. */
export interface Friend {
  id: string;
  /** Who invited him. */
  friendOf: string;
  standing: Omit<FriendStanding, "referralEarned">;
}

/**
 * Ids of all who earned their subscription by friends. A friend who earned his own so counts as well, and so on; the answer
 * is the smallest set that holds: it is built up from friends whose right rests on nothing but themselves, never from what
 * held before. People who would count for one another in a circle, and have nothing else, do not keep each other up.
 */
export function earnedByReferral(friends: readonly Friend[], now: Moment): Set<string> {
  const byId = new Map(friends.map((friend) => [friend.id, friend]));
  const counting = new Map<string, number>();
  const earned = new Set<string>();
  const toLookAt: string[] = [];
  const count = ({ friendOf }: Friend) => {
    const sum = (counting.get(friendOf) ?? 0) + 1;
    counting.set(friendOf, sum);
    if (sum === REFERRAL_FRIENDS) {
      earned.add(friendOf);
      toLookAt.push(friendOf);
    }
  };
  const counts = (friend: Friend, referralEarned: boolean) =>
    whyNotCounting({ ...friend.standing, referralEarned }, now) === null;

  const waiting = new Set<string>();
  for (const friend of friends) {
    if (counts(friend, false)) count(friend);
    else if (counts(friend, true)) waiting.add(friend.id);
  }
  for (let id = toLookAt.pop(); id !== undefined; id = toLookAt.pop()) {
    const friend = byId.get(id);
    if (friend !== undefined && waiting.delete(id)) count(friend);
  }
  return earned;
}
