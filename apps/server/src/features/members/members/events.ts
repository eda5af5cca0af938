import type { QuotaEnd, QuotaStage } from "@krug/domain/quota-rules";
import { eventType } from "../../../platform/events.ts";

/**
 * A member's right to the VPN may have changed: blocked, unblocked, renewed, expired, made unlimited. `blockConfigs`: block or unblock
 * the member's configs as well.
 */
export const memberStandingChanged = eventType<{ memberId: string; blockConfigs?: boolean }>("member.standing_changed");

/** How fast a member may be has changed. */
export const memberSpeedChanged = eventType<{ memberId: string }>("member.speed_changed");

/** Something changed that members see about themselves: name, role, limit, subscription, accepted rules. */
export const memberChanged = eventType<{ memberId: string }>("member.changed");

/** By which act, and until when, ms, whoever did something can undo it. */
export interface Undoing {
  actId: string;
  until: number;
}

/** Staff extended a subscription; `until`: its new end, ms. */
export const subscriptionExtended = eventType<{ memberId: string; until: number; undoing?: Undoing }>(
  "member.subscription_extended",
);

export interface ActUndone {
  memberId: string;
  actId: string;
  until: number | null;
  /** The payment's first month, and how many; null: it was an extension. */
  payment: { period: string; months: number } | null;
}

/** A payment or an extension was undone at once; `until`: the subscription's end now, ms. */
export const actUndone = eventType<ActUndone>("member.act_undone");

/** These members' subscriptions ended; `endedAt`: ms. Each end is recorded once. */
export const subscriptionsEnded =
  eventType<readonly { memberId: string; endedAt: number }[]>("member.subscriptions_ended");

/** An admin blocked or unblocked a member. */
export const memberBlocked = eventType<{ memberId: string; isBlocked: boolean }>("member.blocked");

/** An admin wrote to a member. */
export const staffWrote = eventType<{ memberId: string; text: string }>("member.staff_wrote");

/** A staff member lost the role or was blocked by `byId`; a deletion has its own event. */
export const staffLeft = eventType<{ memberId: string; byId: string }>("member.staff_left");

/** Somebody joined by an invite code. */
export const memberJoined = eventType<{ memberId: string; username: string }>("member.joined");

/** A member was deleted; every feature removes what it keeps about them. */
export const memberDeleted = eventType<{ memberId: string }>("member.deleted");

export interface QuotaReached {
  memberId: string;
  stage: QuotaStage;
  quotaBytes: number;
  atEnd: QuotaEnd;
  /** How fast the member is after it; null unless its end slows down. */
  slowMbit: number | null;
  /** When the period ends, ms. */
  endsAt: number;
  /** Unique to this occasion. */
  onceKey: string;
}

/** A member used most or all of the traffic quota. */
export const quotaReached = eventType<QuotaReached>("member.quota_reached");
