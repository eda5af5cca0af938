import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Time } from "../fields.ts";
import { Tunnel } from "./interfaces.ts";

const Count = z.int().nonnegative();

/** Whether devices get through to interfaces. Beyond the specifications. */
export const outageDetection = {
  /** For admins: VIP members' devices are counted too. */
  read: endpoint("GET /admin/servers/interfaces/{id}/reach", {
    needs: "interfaces.change",
    scope: "servers:read",
    summary:
      "How many devices of an interface should have been online in the last 24 hours or 30 days, and how many were; steps without a reading are left out",
    query: z.object({ span: z.enum(["day", "month"]).default("day") }),
    answer: z.object({
      tunnel: Tunnel,
      /** Seconds from one point to the next. */
      step: z.int().positive(),
      /** The starts of the first and of the last step. */
      from: Time,
      to: Time,
      /** `expected`: on the wire, and online at some time in the 24 hours before. */
      points: z.array(z.object({ at: Time, expected: Count, online: Count })),
    }),
    refusals: ["interface.not_found"],
  }),
};
