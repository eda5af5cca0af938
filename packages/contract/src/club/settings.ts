import { isDormantAfter } from "@krug/domain/dormancy";
import { CLUB_SETTINGS } from "@krug/domain/fields/settings";
import { forEachSwitch } from "@krug/domain/staff-actions";
import { isTimeZone } from "@krug/domain/time-zone";
import { z } from "zod";
import { answered, changeable, expectedOf } from "../described.ts";
import { endpoint } from "../endpoint.ts";
import { Flag } from "../fields.ts";

const { clubTimeZone, dormantAfterDays, ...others } = changeable(CLUB_SETTINGS);

const ClubSettings = z.object({
  ...answered(CLUB_SETTINGS),
  ...forEachSwitch(() => z.boolean()),
  /** Settings fixed by the environment, with the variable's name: they cannot be changed here. */
  fixedBy: z.object({ clubTimeZone: z.string().nullable() }),
});

/** Club-wide settings without a screen of their own (decisions, sections 1, 2, 4, 5). */
export const settings = {
  read: endpoint("GET /admin/settings", {
    needs: "settings.change",
    scope: "system:read",
    summary: "The club's settings",
    answer: ClubSettings,
  }),
  change: endpoint("PUT /admin/settings", {
    needs: "settings.change",
    trust: forEachSwitch(() => true),
    summary: "Change the club's settings; absent fields stay",
    body: z.strictObject({
      ...others,
      clubTimeZone: clubTimeZone.refine((name) => name === undefined || isTimeZone(name)),
      dormantAfterDays: dormantAfterDays.refine((days) => days === undefined || isDormantAfter(days)),
      ...forEachSwitch(() => Flag.optional()),
      expected: expectedOf(CLUB_SETTINGS)
        .unwrap()
        .extend(forEachSwitch(() => z.boolean().optional()))
        .optional(),
    }),
    answer: ClubSettings,
    refusals: ["settings.changed_meanwhile", "settings.fixed"],
  }),
};

export type ClubSettingsAnswer = z.output<typeof ClubSettings>;
