import { z } from "zod";
import { DeviceType } from "./catalog.ts";
import { endpoint } from "./endpoint.ts";
import { AsViewed, Id, Named, Time } from "./fields.ts";
import { ServerStatus } from "./servers.ts";

const Bytes = z.int().nonnegative();
/** As devices see it, over a span. */
const used = { received: Bytes, sent: Bytes };

/** The last 24 hours, 30 days or 12 months, or whole days of the club's calendar, both counted. */
const Span = z.object({
  span: z.enum(["day", "month", "year"]).default("day"),
  /** With it `span` counts for nothing; without `to` up to today. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  ...AsViewed,
});

/** What was asked for, as it was found: no further back than the history goes. */
const span = {
  /** The club's time zone, in which hours, days and months are counted. */
  zone: z.string(),
  /** Of the first step, as the steps are written. */
  from: z.string(),
  to: z.string(),
  step: z.enum(["hour", "day", "month"]),
};

/** The club's VPN as staff look at it (admin-side, section 2; decisions, section 14). For a moderator VIP members' part is in no figure. */
export const statistics = {
  now: endpoint({
    method: "GET",
    path: "/admin/statistics/now",
    access: "staff",
    summary: "How many configs there are, are in use, are new, and wait to be applied",
    query: z.object(AsViewed),
    answer: z.object({
      configs: z.int().nonnegative(),
      /** The last handshake is at most five minutes old. */
      online: z.int().nonnegative(),
      newInWeek: z.int().nonnegative(),
      pending: z.int().nonnegative(),
      servers: z.array(
        z.object({
          id: Id,
          name: z.string(),
          online: z.int().nonnegative(),
          pending: z.int().nonnegative(),
          status: ServerStatus,
          /** Since when it does not answer; null where it does. */
          unreachableSince: Time.nullable(),
        }),
      ),
    }),
  }),
  traffic: endpoint({
    method: "GET",
    path: "/admin/statistics/traffic",
    access: "staff",
    summary: "What all devices used in a span, step by step; deleted ones too",
    query: Span,
    answer: z.object({
      ...span,
      ...used,
      /**
       * Every step of the span, the oldest first, also where nothing was used: hours as YYYY-MM-DDTHH:mm of the club's clock,
       * days as YYYY-MM-DD, months as YYYY-MM.
       */
      steps: z.array(z.object({ at: z.string(), ...used })),
    }),
    refusals: ["statistics.span_backwards", "statistics.span_in_future"],
  }),
  breakdown: endpoint({
    method: "GET",
    path: "/admin/statistics/breakdown",
    access: "staff",
    summary: "Who and what used a span: members, services, interfaces and servers, device types, the most first",
    query: Span.extend({ limit: z.coerce.number().int().min(1).max(1000).default(10) }),
    answer: z.object({
      ...span,
      ...used,
      /** Those who used the most, `limit` at most; deleted members are in the sums alone. */
      members: z.array(z.object({ member: Named, configs: z.int().positive(), ...used })),
      /** Each service with what configs that include it used: a config with two services is in both. */
      services: z.array(z.object({ id: Id, name: z.string(), configs: z.int().positive(), ...used })),
      interfaces: z.array(
        z.object({
          id: Id,
          name: z.string(),
          serverId: Id,
          serverName: z.string(),
          configs: z.int().positive(),
          ...used,
        }),
      ),
      devices: z.array(z.object({ deviceType: DeviceType, configs: z.int().positive(), ...used })),
    }),
    refusals: ["statistics.span_backwards", "statistics.span_in_future"],
  }),
};

export type SpanInput = z.output<typeof Span>;
