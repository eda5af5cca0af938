import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AsViewed, Id, Named, Time } from "../fields.ts";
import { MemberPath } from "../members/members.ts";
import { DeviceType } from "../vpn/catalog.ts";
import { ServerStatus } from "../vpn/servers.ts";

const Bytes = z.int().nonnegative();
/** As devices see it, over a span. */
const used = { received: Bytes, sent: Bytes };

/** The last 24 hours, 30 days or 12 months, or whole days of the club's calendar, both ends included. */
const Span = z.object({
  span: z.enum(["day", "month", "year"]).default("day"),
  /** Overrides `span`; without `to` the span runs up to today. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  ...AsViewed,
});

/** The span the answer covers: no further back than the history. */
const span = {
  /** The club's time zone, which hours, days and months follow. */
  zone: z.string(),
  /** The first step, in the format of the steps. */
  from: z.string(),
  to: z.string(),
  step: z.enum(["hour", "day", "month"]),
};

/**
 * Staff's view of the club's VPN (specification, operator's side 2; decisions, section 14). A moderator's figures exclude VIP members
 * entirely.
 */
export const statistics = {
  now: endpoint("GET /admin/statistics/now", {
    needs: "traffic.see",
    scope: "statistics:read",
    summary: "How many configs exist, are in use, are new, and wait to be applied",
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
          /** Since when it has not answered; null if it does. */
          unreachableSince: Time.nullable(),
        }),
      ),
    }),
  }),
  traffic: endpoint("GET /admin/statistics/traffic", {
    needs: "traffic.see",
    scope: "statistics:read",
    summary: "What all devices, or those of one member, used in a span, step by step, including deleted ones",
    query: Span.extend({
      /** An id or username. */
      member: MemberPath.shape.id.optional(),
    }),
    answer: z.object({
      ...span,
      ...used,
      /**
       * Every step of the span, oldest first, including steps without traffic: hours as YYYY-MM-DDTHH:mm of the club's
       * clock, days as YYYY-MM-DD, months as YYYY-MM.
       */
      steps: z.array(z.object({ at: z.string(), ...used })),
    }),
    refusals: ["statistics.span_backwards", "statistics.span_in_future", "member.not_found"],
  }),
  breakdown: endpoint("GET /admin/statistics/breakdown", {
    needs: "traffic.see",
    scope: "statistics:read",
    summary: "Traffic of a span by member, service, interface, server and device type, the most first",
    query: Span.extend({ limit: z.coerce.number().int().min(1).max(1000).default(10) }),
    answer: z.object({
      ...span,
      ...used,
      /** The heaviest users, at most `limit`; deleted members count only in the totals. */
      members: z.array(z.object({ member: Named, configs: z.int().positive(), ...used })),
      /** Each service with the traffic of the configs that include it: a config with two services counts in both. */
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
