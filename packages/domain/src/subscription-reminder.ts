import { DAY_MS, HOUR_MS } from "./moment.ts";

/** What a member is told of his subscription's end: in three days, within a day, that it has ended. */
export type ReminderStage = "three_days" | "one_day" | "ended";

export interface EndingSubscription {
  isActive: boolean;
  isUnlimited: boolean;
  /** His friends keep his access open, whatever has ended. */
  referralEarned: boolean;
  /** A trial lasts three days: it is not told at its very beginning that it ends in three. */
  isTrial: boolean;
  /** ms since 1970. */
  subscriptionEnd: number;
  graceHours: number;
}

const FIRST_REMINDER_MS = 3 * DAY_MS;
const LAST_REMINDER_MS = DAY_MS;
/** An end that is longer ago, after a panel was away for days, is no news. */
export const TOLD_AFTER_END_MS = 3 * DAY_MS;

/**
 * What there is to be told now (ms), if anything. After a gap it is what is true now and not what was missed: who has a day
 * left is not told that he has three.
 */
export function reminderStage(of: EndingSubscription, now: number): ReminderStage | null {
  if (!of.isActive || of.isUnlimited || of.referralEarned) return null;
  const left = of.subscriptionEnd - now;
  const closed = -left - of.graceHours * HOUR_MS;
  if (closed >= 0) return closed <= TOLD_AFTER_END_MS ? "ended" : null;
  if (left <= 0) return null;
  if (left <= LAST_REMINDER_MS) return "one_day";
  return left <= FIRST_REMINDER_MS && !of.isTrial ? "three_days" : null;
}

/** Between which two ends (ms, both counted) lies everyone of whom there may be something to tell. */
export const endsWorthALook = (now: number, graceHours: number) => ({
  from: now - TOLD_AFTER_END_MS - graceHours * HOUR_MS,
  to: now + FIRST_REMINDER_MS,
});
