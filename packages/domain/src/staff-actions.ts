import type { Role } from "./roles.ts";

/** `switchable`: moderators may once an admin has switched it on in the settings; off by default. */
type ModeratorRight = "yes" | "no" | "switchable";

/**
 * Every act in the administration area and whether moderators may do it; admins may do them all, members none (decisions,
 * section 2, 'Who may do what').
 */
export const STAFF_ACTIONS = {
  "members.see": "yes",
  "members.see_vip": "no",
  "members.change": "no",
  "members.delete": "no",
  "members.send_password_link": "switchable",
  "members.reset_two_factor": "no",
  "notes.write": "yes",
  "payments.see": "yes",
  "payments.set_paid": "yes",
  "payments.set_overdue": "yes",
  "payments.set_not_required": "no",
  "invites.see": "yes",
  "invites.create": "switchable",
  "invites.change": "no",
  "configs.see_all": "yes",
  "configs.delete_any": "no",
  "traffic.see": "yes",
  "catalog.change": "no",
  "servers.see": "yes",
  "servers.see_secrets": "no",
  "servers.change": "no",
  "interfaces.see": "yes",
  "interfaces.rename": "switchable",
  "interfaces.assign": "switchable",
  "interfaces.change": "no",
  "rules.see": "yes",
  "rules.change": "no",
  "support.answer": "yes",
  "answer_templates.change": "no",
  "telegram.notify": "no",
  "audit.see": "yes",
  "settings.change": "no",
  "system.see": "no",
  "system.change": "no",
} as const satisfies Record<string, ModeratorRight>;

export type StaffAction = keyof typeof STAFF_ACTIONS;
export type SwitchableAction = {
  [Action in StaffAction]: (typeof STAFF_ACTIONS)[Action] extends "switchable" ? Action : never;
}[StaffAction];

/** What an admin can switch on for moderators. */
export const SWITCHABLE_ACTIONS = (Object.keys(STAFF_ACTIONS) as StaffAction[]).filter(isSwitchable);

function isSwitchable(action: StaffAction): action is SwitchableAction {
  return STAFF_ACTIONS[action] === "switchable";
}

/** May someone with this role do this? `switchedOn`: what the settings grant to moderators. */
export function may(role: Role, action: StaffAction, switchedOn: readonly SwitchableAction[] = []): boolean {
  if (role !== "moderator") return role === "admin";
  return isSwitchable(action) ? switchedOn.includes(action) : STAFF_ACTIONS[action] === "yes";
}
