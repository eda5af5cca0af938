import { eventType } from "../../../platform/events.ts";

/** Enough friends use the club now for a member to have the subscription by them. */
export const referralEarned = eventType<{ memberId: string }>("referral.earned");

/** Too few friends use the club now for a member to have the subscription by them. */
export const referralLost = eventType<{ memberId: string }>("referral.lost");
