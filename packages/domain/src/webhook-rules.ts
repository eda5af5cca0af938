import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./moment.ts";

/** The events a webhook can get, in the order of the form. The contract says what each carries. */
export const WEBHOOK_EVENTS = [
  "member.joined",
  "member.blocked",
  "member.unblocked",
  "member.deleted",
  "subscription.extended",
  "subscription.undone",
  "subscription.ended",
  "payment.claimed",
  "payment.paid",
  "payment.undone",
  "payment.overdue",
  "config.created",
  "config.restored",
  "config.deleted",
  "ticket.opened",
  "conversation.waits",
  "server.down",
  "server.back",
  "interface.addresses_low",
  "backup.late",
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent by an admin's button, to any webhook. */
export const TEST_EVENT = "webhook.test";

/** Why the panel itself switched a webhook off. */
export const WEBHOOK_OFF_REASONS = ["gone", "failing", "restored"] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

export const MOST_WEBHOOKS = 20;
export const MOST_WEBHOOK_URL = 2_000;
export const MOST_WEBHOOK_DESCRIPTION = 100;

/** How long a replaced secret still signs next to the new one. */
export const FORMER_SECRET_MS = DAY_MS;
/** How long the delivery log goes back, and how many settled deliveries of each webhook it has. */
export const DELIVERIES_KEPT_MS = 14 * DAY_MS;
export const MOST_DELIVERIES_KEPT = 20_000;
/** A delivery this old is no longer news and is not sent automatically any more. */
export const DELIVERY_WAITS_AT_MOST_MS = 2 * DAY_MS;

/** The waits between tries; there is none after the last. */
const RETRY_WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];
/** Receivers cannot ask for more. */
const LONGEST_ASKED_MS = 12 * HOUR_MS;
const JITTER = 0.2;

/**
 * How long to wait after this many failed tries, ms; null: it is given up. `askedMs`: what the receiver asked for (Retry-After).
 * `random`: from 0 to 1; up to a fifth is added, so that deliveries that failed together are not retried together.
 */
export function retryWaitMs(tries: number, askedMs: number | null, random: number): number | null {
  const wait = RETRY_WAITS_MS[tries - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(wait * (1 + JITTER * random)), Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

/** After this many failures in a row the fault is the receiver's, not one delivery's. */
const RECEIVERS_OWN_TROUBLE = 3;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/** How long to pause a receiver in trouble after this many failures in a row, ms; then one try decides. */
export function pauseMs(failuresInRow: number, askedMs: number | null): number {
  const own =
    failuresInRow < RECEIVERS_OWN_TROUBLE
      ? 0
      : Math.min(30 * SECOND_MS * 2 ** (failuresInRow - RECEIVERS_OWN_TROUBLE), LONGEST_PAUSE_MS);
  return Math.max(own, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

const FAILING_AT_MOST_MS = 3 * DAY_MS;
const FAILURES_AT_LEAST = 10;

/** Whether a webhook has failed for so long that it is switched off: three days, and more than a few times. */
export const isGivenUp = ({ failures, failingSince, now }: { failures: number; failingSince: number; now: number }) =>
  failures >= FAILURES_AT_LEAST && now - failingSince >= FAILING_AT_MOST_MS;
