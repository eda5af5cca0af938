import { TRIAL_DAYS } from "./invite-rules.ts";
import { DAY_MS, HOUR_MS } from "./moment.ts";

/** What a member is told about their subscription's end: in three days, within a day, ended. */
export type ReminderStage = "three_days" | "one_day" | "ended";

export interface EndingSubscription {
  isActive: boolean;
  isUnlimited: boolean;
  /** Friends keep the access open, whatever has ended. */
  referralEarned: boolean;
  isTrial: boolean;
  /** ms since 1970. */
  subscriptionEnd: number;
  graceHours: number;
}

const FIRST_REMINDER_MS = 3 * DAY_MS;
const LAST_REMINDER_MS = DAY_MS;
/** The end of a trial this short is not announced at its very start. */
const TRIAL_HAS_FIRST = TRIAL_DAYS * DAY_MS > FIRST_REMINDER_MS;
/** If a panel was away for days, an end longer ago than this is no longer news. */
export const TOLD_AFTER_END_MS = 3 * DAY_MS;

/**
 * What to tell now (ms), if anything. After a gap it is what is true now, not what was missed: a member with one day left is
 * never told that there are three.
 */
export function reminderStage(of: EndingSubscription, now: number): ReminderStage | null {
  if (!of.isActive || of.isUnlimited || of.referralEarned) return null;
  const left = of.subscriptionEnd - now;
  const closed = -left - of.graceHours * HOUR_MS;
  if (closed >= 0) return closed <= TOLD_AFTER_END_MS ? "ended" : null;
  if (left <= 0) return null;
  if (left <= LAST_REMINDER_MS) return "one_day";
  return left <= FIRST_REMINDER_MS && (!of.isTrial || TRIAL_HAS_FIRST) ? "three_days" : null;
}

/** The range of ends (ms, both included) that may need a notice. */
export const endsWorthALook = (now: number, graceHours: number) => ({
  from: now - TOLD_AFTER_END_MS - graceHours * HOUR_MS,
  to: now + FIRST_REMINDER_MS,
});
