import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Time } from "../fields.ts";

const HistoryPoint = z.object({
  /** The start of the step. */
  at: Time,
  /** Percent of all cores together. */
  cpu: z.number().min(0).max(100),
  /** Bytes in use by programs. */
  memory: z.int().nonnegative(),
  memoryTotal: z.int().nonnegative(),
  /** Over one minute. */
  load: z.number().nonnegative(),
  /** Bytes per second through the interfaces that lead to the internet. */
  received: z.number().nonnegative(),
  sent: z.number().nonnegative(),
});

/** Beyond the specifications. */
export const serverHistory = {
  read: endpoint("GET /admin/servers/{id}/history", {
    needs: "servers.see",
    scope: "servers:read",
    summary: "How busy a server's machine was in the last 24 hours or 30 days; steps without a reading are left out",
    query: z.object({ span: z.enum(["day", "month"]).default("day") }),
    answer: z.object({
      /** Seconds from one point to the next. */
      step: z.int().positive(),
      /** The starts of the first and of the last step. */
      from: Time,
      to: Time,
      points: z.array(HistoryPoint),
    }),
    refusals: ["server.not_found"],
  }),
};
