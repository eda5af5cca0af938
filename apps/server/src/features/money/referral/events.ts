import { eventType } from "../../../platform/events.ts";

/** Enough friends now use the club for a member to earn the subscription. */
export const referralEarned = eventType<{ memberId: string }>("referral.earned");

/** Too few friends now use the club for a member to earn the subscription. */
export const referralLost = eventType<{ memberId: string }>("referral.lost");
