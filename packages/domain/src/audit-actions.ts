import type { Role } from "./roles.ts";
import { may, type StaffAction } from "./staff-actions.ts";

/** What an entry's target is. `club`: the whole club, so the entry has no target. */
type TargetKind =
  | "member"
  | "config"
  | "service"
  | "dns"
  | "invite"
  | "template"
  | "group"
  | "server"
  | "interface"
  | "rule"
  | "ticket"
  | "answer_template"
  | "webhook"
  | "club";

/**
 * Every action in the audit log and the kind of its target (decisions, section 14). An action missing here cannot be recorded,
 * and one without a sentence in both dictionaries does not compile.
 */
export const AUDIT_ACTIONS = {
  "member.added": "member",
  "member.changed": "member",
  "member.deleted": "member",
  "member.password_link": "member",
  "member.password_reset": "member",
  "member.sessions_ended": "member",
  "member.left_staff": "member",
  "member.quota_reset": "member",
  "member.extension_undone": "member",
  "note.added": "member",
  "note.deleted": "member",
  "two_factor.enabled": "member",
  "two_factor.disabled": "member",
  "two_factor.reset": "member",
  "two_factor.codes_renewed": "member",
  "two_factor.recovery_used": "member",
  "two_factor.locked": "member",
  "passkey.added": "member",
  "passkey.renamed": "member",
  "passkey.removed": "member",
  "passkey.reset": "member",
  "passkey.copied": "member",
  "api_token.made": "member",
  "api_token.revoked": "member",
  "payment.status_set": "member",
  "payment.undone": "member",
  "payment.claim_declined": "member",
  "payment.settings_changed": "club",
  "invite.added": "invite",
  "invite.changed": "invite",
  "invite.deactivated": "invite",
  "template.added": "template",
  "template.changed": "template",
  "template.deleted": "template",
  "group.added": "group",
  "group.changed": "group",
  "group.deleted": "group",
  "config.handed_over": "config",
  "config.link_made": "config",
  "config.link_revoked": "config",
  "config.link_opened": "config",
  "config.lost": "config",
  "config.deleted": "config",
  "config.moved_in": "config",
  "config.moved": "config",
  "config.blocked": "config",
  "config.unblocked": "config",
  "config.reactivated": "config",
  "config.end_changed": "config",
  "config.services_chosen": "config",
  "service.added": "service",
  "service.changed": "service",
  "service.deleted": "service",
  "service.list_accepted": "service",
  "service.list_refused": "service",
  "service.list_brought_back": "service",
  "dns.added": "dns",
  "dns.changed": "dns",
  "dns.deleted": "dns",
  "rule.added": "rule",
  "rule.deleted": "rule",
  "server.added": "server",
  "server.changed": "server",
  "server.host_key_accepted": "server",
  "server.password_changed": "server",
  "server.setup_started": "server",
  "server.setup_completed": "server",
  "server.import_begun": "server",
  "server.import_reversed": "server",
  "server.import_kept": "server",
  "server.set_main": "server",
  "server.emptying_started": "server",
  "server.emptied": "server",
  "interface.emptying_started": "interface",
  "interface.emptied": "interface",
  "server.deleted": "server",
  "server.assigned": "member",
  "server.unassigned": "member",
  "interface.added": "interface",
  "interface.moved_in": "interface",
  "interface.changed": "interface",
  "interface.deleted": "interface",
  "interface.assigned": "member",
  "interface.unassigned": "member",
  "inbox.message_sent": "member",
  "support.answered": "member",
  "support.ticket_changed": "ticket",
  "support.waiting_set": "member",
  "support.conversation_assigned": "member",
  "support.hands_freed": "member",
  "answer_template.added": "answer_template",
  "answer_template.changed": "answer_template",
  "answer_template.deleted": "answer_template",
  "webhook.added": "webhook",
  "webhook.changed": "webhook",
  "webhook.secret_replaced": "webhook",
  "webhook.switched_off": "webhook",
  "webhook.deleted": "webhook",
  "security.changed": "club",
  "telegram.changed": "club",
  "telegram.staff_confirmed": "member",
  "settings.changed": "club",
  "maintenance.switched": "club",
  "system.backup_taken": "club",
  "system.taken_over": "club",
  "config.taken_in": "config",
  "interface.unknown_disconnected": "interface",
  "system.wipe_simulated": "club",
} as const satisfies Record<string, TargetKind>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export type AuditTargetKind = TargetKind;

const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The part before the dot: `member` of 'member.added'. */
export type AuditArea = AuditAction extends `${infer Area}.${string}` ? Area : never;
const areaOf = (action: AuditAction) => action.slice(0, action.indexOf(".")) as AuditArea;

/** The areas, in the catalogue's order. */
export const AUDIT_AREAS: readonly AuditArea[] = [...new Set(actions.map(areaOf))];

export const actionsOf = (area: AuditArea): AuditAction[] => actions.filter((action) => areaOf(action) === area);

/** The right needed to see an area's entries. */
const NEEDED_TO_SEE: Readonly<Record<AuditArea, StaffAction>> = {
  member: "members.see",
  note: "members.see",
  two_factor: "members.see",
  passkey: "members.see",
  api_token: "members.see",
  payment: "payments.see",
  invite: "invites.see",
  template: "members.see",
  group: "members.see",
  config: "configs.see_all",
  service: "configs.see_all",
  dns: "configs.see_all",
  rule: "rules.see",
  server: "servers.see_secrets",
  interface: "interfaces.see",
  inbox: "members.see",
  support: "support.answer",
  answer_template: "support.answer",
  webhook: "webhooks.change",
  security: "settings.change",
  telegram: "settings.change",
  settings: "settings.change",
  maintenance: "system.see",
  system: "system.see",
};

/** The entries that someone in this role may see. */
export const actionsSeenBy = (role: Role): AuditAction[] =>
  actions.filter((action) => may(role, NEEDED_TO_SEE[areaOf(action)]));

/** The areas whose entries someone in this role may see. */
export const areasSeenBy = (role: Role): AuditArea[] => AUDIT_AREAS.filter((area) => may(role, NEEDED_TO_SEE[area]));
