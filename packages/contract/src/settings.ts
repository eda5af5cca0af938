import { isTimeZone } from "@krug/domain/time-zone";
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Flag } from "./fields.ts";

/** A year. */
const Hours = z.int().min(0).max(8_760);

const Values = {
  /** Hours that a subscription still counts after its end. */
  graceHours: Hours,
  /** Invite codes a member may make in a month. */
  ownCodesPerMonth: z.int().min(0).max(1_000),
  /** Members that one address, and one invite code, may make within a day. */
  joinsPerAddressPerDay: z.int().min(1).max(10_000),
  joinsPerCodePerDay: z.int().min(1).max(10_000),
  /** -1 = unlimited. */
  newMemberConfigLimit: z.int().min(-1).max(10_000),
  /** IANA name. */
  clubTimeZone: z.string().max(64).refine(isTimeZone),
};
const Grants = ["moderatorMayInvites", "moderatorMayInterfaces", "moderatorMayPasswordLinks"] as const;
const granted = <Schema extends z.ZodType>(schema: Schema) =>
  Object.fromEntries(Grants.map((name) => [name, schema])) as Record<(typeof Grants)[number], Schema>;

const ClubSettings = z.object({
  ...Values,
  ...granted(z.boolean()),
  /** Settings that the environment sets, by the variable's name: they are not changed here. */
  fixedBy: z.object({ clubTimeZone: z.string().nullable() }),
});

/** What holds for the whole club and has no screen of its own (decisions, sections 1, 2, 4, 5). */
export const settings = {
  read: endpoint({
    method: "GET",
    path: "/admin/settings",
    access: "admin",
    summary: "What holds for the whole club",
    answer: ClubSettings,
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/settings",
    access: "admin",
    summary: "Change what holds for the whole club; what is not named stays",
    body: z
      .strictObject({
        ...Values,
        ...granted(Flag),
        /** What the changer saw of what he changes: where one is otherwise by now, nothing is changed and he is told. */
        expected: z.strictObject({ ...Values, ...granted(z.boolean()) }).partial(),
      })
      .partial(),
    answer: ClubSettings,
    refusals: ["settings.changed_meanwhile", "settings.fixed"],
  }),
};

export type ClubSettingsAnswer = z.output<typeof ClubSettings>;
