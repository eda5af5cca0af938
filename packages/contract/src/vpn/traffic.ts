import { QUOTA_ENDS } from "@krug/domain/quota-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { ClubMoment, Id, QuotaBytes } from "../fields.ts";

/** A device's traffic on one day of the club's time zone, in bytes as the device sees them. */
export const DayOfTraffic = z.object({
  day: z.iso.date(),
  received: z.int().nonnegative(),
  sent: z.int().nonnegative(),
});

/** When a quota is used up: the member is notified and keeps the VPN, and until the period ends it stays fast, is slow, or stops. */
export const AtQuotaEnd = z.enum(QUOTA_ENDS);

/** How much of a member's quota is used in the period, both directions together, in bytes. */
export const OwnQuota = z.object({
  bytes: QuotaBytes,
  used: z.int().nonnegative(),
  atEnd: AtQuotaEnd,
  /** How fast the member is once it is used up, Mbit/s; null unless its end slows down. */
  slowMbit: z.int().nullable(),
  /** When counting starts again: the first moment of the club's next month. */
  resetsAt: ClubMoment,
});

export const traffic = {
  /** Beyond the specifications (decisions, section 1). */
  ownQuota: endpoint("GET /vpn/quota", {
    access: "member",
    scope: "configs:read",
    summary: "How much of your traffic quota is used, and when it resets; null without a quota",
    answer: OwnQuota.nullable(),
  }),
  /** Beyond the specifications (decisions, section 14). */
  own: endpoint("GET /vpn/traffic", {
    access: "member",
    scope: "configs:read",
    summary: "What each of your configs used, day by day; days and configs without traffic are left out",
    query: z.object({
      /** How many days, today included. */
      days: z.coerce.number().int().min(1).max(31).default(30),
    }),
    answer: z.object({
      /** The first and last day of the answer in the club's time zone; the last is today. */
      from: z.iso.date(),
      to: z.iso.date(),
      /** Each config's days, oldest first. */
      configs: z.array(z.object({ id: Id, days: z.array(DayOfTraffic) })),
    }),
  }),
};

export type DayOfTrafficAnswer = z.output<typeof DayOfTraffic>;
export type OwnQuotaAnswer = z.output<typeof OwnQuota>;
