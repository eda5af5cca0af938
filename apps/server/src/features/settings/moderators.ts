import { may, type SwitchableAction } from "@krug/domain/staff-actions";
import type { Db } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { refuse } from "../../platform/refusal.ts";
import type { ClubSettings, Settings } from "./club-settings.ts";

/** What the settings grant to moderators (decisions, section 2). */
const GRANTS: Record<SwitchableAction, (club: ClubSettings) => boolean> = {
  "invites.create": (club) => club.moderatorMayInvites,
  "interfaces.rename": (club) => club.moderatorMayInterfaces,
  "interfaces.assign": (club) => club.moderatorMayInterfaces,
  "members.send_password_link": (club) => club.moderatorMayPasswordLinks,
};

/** What an admin has switched on for moderators. */
export const switchedOn = (club: ClubSettings): SwitchableAction[] =>
  (Object.keys(GRANTS) as SwitchableAction[]).filter((action) => GRANTS[action](club));

/** Refuses a moderator what no admin has switched on for moderators. */
export async function refuseUnlessMay(
  settings: Settings,
  db: Db,
  { role }: Pick<Actor, "role">,
  action: SwitchableAction,
): Promise<void> {
  if (!may(role, action, switchedOn(await settings.read(db)))) refuse("auth.forbidden");
}
