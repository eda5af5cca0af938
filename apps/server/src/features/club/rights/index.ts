import { isStaff, type Role } from "@krug/domain/roles";
import {
  type FixedAction,
  MODERATOR_SWITCHES,
  type ModeratorSwitch,
  may,
  STAFF_ACTIONS,
  type StaffAction,
} from "@krug/domain/staff-actions";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";

interface Parts {
  /** Of a feature above this one. */
  settings: { read(over: Db | Tx): Promise<Record<ModeratorSwitch, boolean>> };
}

export type Rights = ReturnType<typeof makeRights>;

/** What staff may do: by their role, and by what an admin has switched on for moderators. mount.ts lets calls in by it. */
export function makeRights({ settings }: Parts) {
  /** What an admin has switched on for moderators. */
  const switchedOn = async (over: Db | Tx): Promise<ModeratorSwitch[]> => {
    const club = await settings.read(over);
    return MODERATOR_SWITCHES.filter((name) => club[name]);
  };
  return {
    switchedOn,
    /** What this role may do. */
    async of(over: Db | Tx, role: Role): Promise<StaffAction[]> {
      const granted = await switchedOn(over);
      return (Object.keys(STAFF_ACTIONS) as StaffAction[]).filter((action) => may(role, action, granted));
    },
  };
}

/**
 * For another member's data, in a call that members make about themselves.
 * @throws Refusal `otherwise`, if staff have no such right
 */
export function requireRight(
  { role, elevated }: Pick<Actor, "role" | "elevated">,
  needs: FixedAction,
  ...otherwise: Parameters<typeof refuse>
): void {
  if (!may(role, needs)) refuse(...otherwise);
  if (!elevated) refuse("auth.two_factor_required");
}

/** VIP members are left out of every answer to a moderator, counts included; `as`: an admin looks as a moderator. */
export const seesVip = ({ role }: Pick<Actor, "role">, as?: "moderator"): boolean =>
  may(role, "members.see_vip") && as === undefined;

/** Only admins see how machines are reached and what they report of themselves. */
export const seesServerSecrets = ({ role }: Pick<Actor, "role">, as?: "moderator"): boolean =>
  may(role, "servers.see_secrets") && as === undefined;

/** Whether this staff reader must not learn that this member exists. */
export const isHidden = (actor: Pick<Actor, "role">, member: { is_vip: number }, as?: "moderator"): boolean =>
  member.is_vip === 1 && !seesVip(actor, as);

/** The same for inviters and their friends, who know each other: only staff among them may be kept from seeing one. */
export const isFriendHidden = (actor: Pick<Actor, "role">, friend: { is_vip: number }, as?: "moderator"): boolean =>
  isStaff(actor.role) && isHidden(actor, friend, as);
