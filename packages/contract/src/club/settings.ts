import { forEachSwitch } from "@krug/domain/staff-actions";
import { isTimeZone } from "@krug/domain/time-zone";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Flag, QuotaBytes } from "../fields.ts";
import { AtQuotaEnd } from "../vpn/traffic.ts";

/** A year. */
const Hours = z.int().min(0).max(8_760);

const Values = {
  /** Hours a subscription still counts after its end. */
  graceHours: Hours,
  /** Invite codes a member may make in a month. */
  ownCodesPerMonth: z.int().min(0).max(1_000),
  /** New members allowed within a day from one address, and by one invite code. */
  joinsPerAddressPerDay: z.int().min(1).max(10_000),
  joinsPerCodePerDay: z.int().min(1).max(10_000),
  /** -1 = unlimited. */
  newMemberConfigLimit: z.int().min(-1).max(10_000),
  /** The traffic new members may use in a month, in bytes; null: no quota. */
  newMemberQuotaBytes: QuotaBytes.nullable(),
  newMemberQuotaAtEnd: AtQuotaEnd,
  /** Hours of the club's day in which the bot sends nothing that can wait; equal: no quiet hours. */
  quietFrom: z.int().min(0).max(23),
  quietUntil: z.int().min(0).max(23),
  /** IANA name. */
  clubTimeZone: z.string().max(64).refine(isTimeZone),
};

const ClubSettings = z.object({
  ...Values,
  ...forEachSwitch(() => z.boolean()),
  /** Settings fixed by the environment, with the variable's name: they cannot be changed here. */
  fixedBy: z.object({ clubTimeZone: z.string().nullable() }),
});

/** Club-wide settings without a screen of their own (decisions, sections 1, 2, 4, 5). */
export const settings = {
  read: endpoint({
    method: "GET",
    path: "/admin/settings",
    needs: "settings.change",
    summary: "The club's settings",
    answer: ClubSettings,
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/settings",
    needs: "settings.change",
    trust: forEachSwitch(() => true),
    summary: "Change the club's settings; absent fields stay",
    body: z
      .strictObject({
        ...Values,
        ...forEachSwitch(() => Flag),
        /** The values the editor saw: if one differs now, nothing changes and the editor is told. */
        expected: z.strictObject({ ...Values, ...forEachSwitch(() => z.boolean()) }).partial(),
      })
      .partial(),
    answer: ClubSettings,
    refusals: ["settings.changed_meanwhile", "settings.fixed"],
  }),
};

export type ClubSettingsAnswer = z.output<typeof ClubSettings>;
