import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AsViewed, Time } from "../fields.ts";

const Count = z.int().nonnegative();

const Alarms = z.object({
  /** Servers that do not answer, the longest outage first. */
  servers: z.array(z.object({ id: z.uuid(), name: z.string(), since: Time })),
  /** Exits of servers that do not answer, or have no internet: named by both, 'Рига → Хельсинки'. */
  exits: z.array(z.object({ id: z.uuid(), name: z.string(), since: Time })),
  /** No scheduled backup has been good since this time, for twice the interval; null if there is one, or none are scheduled. */
  backupLateSince: Time.nullable(),
  maintenanceSince: Time.nullable(),
  /** Members who say that they have paid. */
  claims: Count,
  /** Chats that wait for an answer. */
  conversations: Count,
});

/** Beyond the specifications. */
export const alarms = {
  read: endpoint("GET /admin/alarms", {
    needs: "area.enter",
    summary: "What needs staff's attention now; a moderator's answer counts no VIP members",
    query: z.object(AsViewed),
    answer: Alarms,
  }),
};
