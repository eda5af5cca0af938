import { NOTICE_GROUPS, type NoticeGroup } from "@krug/domain/notices/groups";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Why } from "../reasons.ts";

/** Which notices of the inbox are also sent to Telegram and to browsers. */
const Choices = z.record(z.enum(NOTICE_GROUPS), z.boolean());

/** Notices being sent; `failed`: given up within the last week, `reason`: the latest one's failure. */
const WayStanding = z.object({
  waiting: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  reason: z.string().nullable(),
  why: Why.nullable(),
});

/** How notices leave the panel, by any channel. */
export const outbox = {
  choices: endpoint("GET /inbox/choices", {
    access: "member",
    scope: "notices:read",
    summary: "Which of your notices are sent outside the panel too: to Telegram and to browsers",
    answer: Choices,
  }),
  choose: endpoint("PUT /inbox/choices", {
    access: "member",
    scope: "notices:write",
    summary: "Choose which of your notices are sent outside the panel too; absent fields stay",
    body: z.strictObject(
      Object.fromEntries(NOTICE_GROUPS.map((group) => [group, z.boolean().optional()])) as Record<
        NoticeGroup,
        z.ZodOptional<z.ZodBoolean>
      >,
    ),
    answer: Choices,
  }),
  standing: endpoint("GET /admin/outbox", {
    // Its counts and its latest reason include VIP members.
    needs: "system.see",
    scope: "system:read",
    summary: "Notices on their way to Telegram and to browsers, and those that could not be sent",
    answer: z.object({ telegram: WayStanding, push: WayStanding }),
  }),
};
