import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id } from "./fields.ts";

/** A device's traffic on one day of the club's time zone, in bytes as the device sees them. */
export const DayOfTraffic = z.object({
  day: z.iso.date(),
  received: z.int().nonnegative(),
  sent: z.int().nonnegative(),
});

export const traffic = {
  /** Beyond the specifications (decisions, section 14). */
  own: endpoint({
    method: "GET",
    path: "/vpn/traffic",
    access: "member",
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
