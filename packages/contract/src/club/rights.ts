import { STAFF_ACTIONS, type StaffAction } from "@krug/domain/staff-actions";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";

const actions = Object.keys(STAFF_ACTIONS) as StaffAction[];

/** What the caller may do, by role and by what an admin has switched on for moderators (decisions, section 2). */
export const rights = {
  /** Beyond the specifications: screens offer only what the server will accept. */
  own: endpoint("GET /admin/rights", {
    needs: "area.enter",
    scope: "profile:read",
    summary: "What you may do in the administration area",
    query: z.object({ as: z.literal("moderator").optional() }),
    answer: z.object({ actions: z.array(z.enum(actions)) }),
  }),
};
