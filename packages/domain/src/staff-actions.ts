import type { Role } from "./roles.ts";

/** The settings by which an admin lets moderators do more; off by default. */
export const MODERATOR_SWITCHES = [
  "moderatorMayInvites",
  "moderatorMayInterfaces",
  "moderatorMayPasswordLinks",
] as const;
export type ModeratorSwitch = (typeof MODERATOR_SWITCHES)[number];

/** A value for each of them. */
export const forEachSwitch = <const Value>(make: (name: ModeratorSwitch) => Value) =>
  Object.fromEntries(MODERATOR_SWITCHES.map((name) => [name, make(name)])) as Record<ModeratorSwitch, Value>;

type ModeratorRight = "yes" | "no" | ModeratorSwitch;

/**
 * Every right in the administration area and whether moderators have it; admins have all of them, members none (decisions,
 * section 2, 'Who may do what'). Each call of the contract names the right it needs, and nothing else decides: changing a value
 * here changes who has access. Each row decides something (`access.feature.test.ts`).
 */
export const STAFF_ACTIONS = {
  "area.enter": "yes",
  "members.see": "yes",
  "members.see_vip": "no",
  "members.change": "no",
  "members.delete": "no",
  "members.send_password_link": "moderatorMayPasswordLinks",
  "members.reset_two_factor": "no",
  "notes.write": "yes",
  "notes.delete_any": "no",
  "payments.see": "yes",
  "payments.set": "yes",
  "payments.set_not_required": "no",
  "invites.see": "yes",
  "invites.create": "moderatorMayInvites",
  "invites.change": "no",
  "configs.see_all": "yes",
  "configs.change_any": "no",
  "configs.delete_any": "no",
  "traffic.see": "yes",
  "catalog.change": "no",
  "servers.see": "yes",
  "servers.see_secrets": "no",
  "servers.change": "no",
  "interfaces.see": "yes",
  "interfaces.rename": "moderatorMayInterfaces",
  "interfaces.assign": "moderatorMayInterfaces",
  "interfaces.change": "no",
  "rules.see": "yes",
  "rules.change": "no",
  "support.answer": "yes",
  "answer_templates.change": "no",
  "telegram.notify": "no",
  "audit.see": "yes",
  "webhooks.change": "no",
  "settings.change": "no",
  "system.see": "no",
  "system.change": "no",
} as const satisfies Record<string, ModeratorRight>;

export type StaffAction = keyof typeof STAFF_ACTIONS;
/** Actions that a role has or lacks regardless of settings. */
export type FixedAction = {
  [Action in StaffAction]: (typeof STAFF_ACTIONS)[Action] extends ModeratorSwitch ? never : Action;
}[StaffAction];

/** May someone with this role do this? `switchedOn`: what an admin has switched on for moderators. */
export function may(role: Role, action: StaffAction, switchedOn: readonly ModeratorSwitch[] = []): boolean {
  if (role !== "moderator") return role === "admin";
  const right: ModeratorRight = STAFF_ACTIONS[action];
  return right === "yes" || (right !== "no" && switchedOn.includes(right));
}

/** Whether someone with this role can ever do this, even with everything switched on. */
export const mayEver = (role: Role, action: StaffAction): boolean => may(role, action, MODERATOR_SWITCHES);
