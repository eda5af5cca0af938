import { type EntitlementStanding, entitlementBesideQuota } from "./entitlement.ts";
import { DAY_MS, HOUR_MS, type Moment, msOf } from "./moment.ts";

/** How many friends must use the club for the subscription to be free (specification, member's side 9). */
export const REFERRAL_FRIENDS = 3;
/** A friend uses the club if one of their devices connected within this time (decisions, section 4). */
export const REFERRAL_SEEN_WITHIN_MS = 30 * DAY_MS;

/** What decides whether an invited friend counts for the inviter. */
export interface FriendStanding extends EntitlementStanding {
  /** The running subscription is the trial from joining. */
  subscriptionIsTrial: boolean;
  /** The latest of all their devices, ms since 1970; null if none ever connected. */
  lastHandshakeAt: number | null;
}

export type NotCountingReason = "blocked" | "no_subscription" | "on_trial" | "no_handshake";

/** Their own right: by payment, grant, unlimited flag or referral. A trial is given to everyone and does not count. */
export function hasOwnSubscription(friend: FriendStanding, now: Moment): boolean {
  const reason = whyNotCounting(friend, now);
  return reason === null || reason === "no_handshake";
}

/** The first reason this friend does not count for the inviter now, or null (decisions, section 4). */
export function whyNotCounting(friend: FriendStanding, now: Moment): NotCountingReason | null {
  const { allowed, reason } = entitlementBesideQuota(friend, now);
  if (reason === "blocked") return "blocked";
  if (!allowed) return "no_subscription";
  // Earning by friends during the trial is more than the trial.
  if (reason === "subscription" && friend.subscriptionIsTrial && !friend.referralEarned) return "on_trial";
  const { lastHandshakeAt } = friend;
  const seen = lastHandshakeAt !== null && lastHandshakeAt > msOf(now) - REFERRAL_SEEN_WITHIN_MS;
  return seen ? null : "no_handshake";
}

/**
 * When (ms) a friend who counts now stops counting; Infinity if they are unlimited. `byFriendsUntil`: when the access earned by
 * their own friends ends, if they have it.
 */
export function countsUntil(friend: FriendStanding, byFriendsUntil: number): number {
  if (friend.isUnlimited) return Number.POSITIVE_INFINITY;
  const { subscriptionEnd, graceHours, subscriptionIsTrial, referralEarned } = friend;
  const paidUntil = subscriptionIsTrial || subscriptionEnd === null ? 0 : subscriptionEnd + graceHours * HOUR_MS;
  return Math.max(paidUntil, referralEarned ? byFriendsUntil : 0);
}

/** Of the friends who count now, the one whose end leaves too few; undefined if there are too few already. */
export const lastNeeded = <Counting extends { until: number }>(friends: readonly Counting[]): Counting | undefined =>
  friends.toSorted((a, b) => b.until - a.until)[REFERRAL_FRIENDS - 1];

/** An invited member. The standing's `referralEarned` is ignored, because this computes it. */
export interface Friend {
  id: string;
  /** Who invited them. */
  friendOf: string;
  standing: Omit<FriendStanding, "referralEarned">;
}

/**
 * Ids of all members who earned their subscription through friends. A friend who earned it this way counts too, and so on. The
 * result is the smallest consistent set: it is built up from friends whose right does not depend on friends, never from earlier
 * results. So a circle of members who only have each other earns nothing.
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
