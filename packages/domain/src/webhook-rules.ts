import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./moment.ts";

/** What a webhook can be told of, in the order of the form. The contract says what each carries. */
export const WEBHOOK_EVENTS = [
  "member.joined",
  "member.blocked",
  "member.unblocked",
  "member.deleted",
  "subscription.extended",
  "subscription.ended",
  "payment.claimed",
  "payment.paid",
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

/** What an admin sends by a button, to any webhook. */
export const TEST_EVENT = "webhook.test";

/** Why the panel itself switched a webhook off. */
export const WEBHOOK_OFF_REASONS = ["gone", "failing", "restored"] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

export const MOST_WEBHOOKS = 20;
export const MOST_WEBHOOK_URL = 2_000;
export const MOST_WEBHOOK_DESCRIPTION = 100;

/** A replaced secret may sign beside the new one for so long. */
export const FORMER_SECRET_MS = DAY_MS;
/** How long the delivery log remembers, and how many settled deliveries of each webhook. */
export const DELIVERIES_KEPT_MS = 14 * DAY_MS;
export const MOST_DELIVERIES_KEPT = 20_000;
/** What could not be sent for so long is news to nobody: it is no longer sent by itself. */
export const DELIVERY_WAITS_AT_MOST_MS = 2 * DAY_MS;

/** Between one try and the next; after the last there is none. */
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
/** Nobody may ask for more. */
const LONGEST_ASKED_MS = 12 * HOUR_MS;
const JITTER = 0.2;

/**
 * How long to wait after so many tries that failed, ms; null: it is given up. `askedMs`: what the receiver asked for
 * (Retry-After). `random`: from 0 to 1; up to a fifth is added, so that what failed together does not come back together.
 */
export function retryWaitMs(tries: number, askedMs: number | null, random: number): number | null {
  const wait = RETRY_WAITS_MS[tries - 1];
  if (wait === undefined) return null;
  return Math.max(Math.round(wait * (1 + JITTER * random)), Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

/** After so many failures in a row it is the receiver that is in trouble, not one delivery. */
const RECEIVERS_OWN_TROUBLE = 3;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/** How long a receiver in trouble is left alone after so many failures in a row, ms; one try then decides again. */
export function pauseMs(failuresInRow: number, askedMs: number | null): number {
  const own =
    failuresInRow < RECEIVERS_OWN_TROUBLE
      ? 0
      : Math.min(30 * SECOND_MS * 2 ** (failuresInRow - RECEIVERS_OWN_TROUBLE), LONGEST_PAUSE_MS);
  return Math.max(own, Math.min(askedMs ?? 0, LONGEST_ASKED_MS));
}

const FAILING_AT_MOST_MS = 3 * DAY_MS;
const FAILURES_AT_LEAST = 10;

/** Whether a webhook has failed for so long that it is switched off: three days, and not just a few times. */
export const isGivenUp = ({ failures, failingSince, now }: { failures: number; failingSince: number; now: number }) =>
  failures >= FAILURES_AT_LEAST && now - failingSince >= FAILING_AT_MOST_MS;
