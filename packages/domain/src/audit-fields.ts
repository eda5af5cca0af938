import type { AuditTargetKind } from "./audit-actions.ts";
import { type FieldKind, type Fields, kindsOf, nameOfColumn } from "./fields/field.ts";
import { INTERFACE_FIELDS } from "./fields/interface.ts";
import { INVITE_FIELDS } from "./fields/invite.ts";
import { MEMBER_FIELDS } from "./fields/member.ts";
import { CLUB_SETTINGS, OTHER_SETTINGS } from "./fields/settings.ts";
import { TEMPLATE_FIELDS } from "./fields/template.ts";
import { forEachSwitch } from "./staff-actions.ts";

/** How a recorded value reads. `id`: of something that has a name, or a word in its place. Each may also be a list. */
export type AuditKind = FieldKind | "id";

/** All fields that are described: their kinds and words are with them. */
export const DESCRIBED = {
  ...INTERFACE_FIELDS,
  ...INVITE_FIELDS,
  ...TEMPLATE_FIELDS,
  ...MEMBER_FIELDS,
  ...CLUB_SETTINGS,
  ...OTHER_SETTINGS,
};

/**
 * What an entry's `before` and `after` may hold, by their names in the API. A field missing here fails the test that records it,
 * and one without words in both dictionaries does not compile.
 */
export const AUDIT_FIELDS = {
  ...kindsOf(DESCRIBED),
  quotaUsed: "bytes",
  message: "text",
  wrongCodes: "count",
  scopes: "text",
  // Payments
  period: "text",
  status: "choice",
  note: "text",
  reason: "text",
  claim: "id",
  months: "count",
  amount: "money",
  currency: "text",
  grantedFrom: "moment",
  grantedUntil: "moment",
  paidAt: "moment",
  // Invite codes, which may end at any time of a day
  expiresAt: "moment",
  // Templates for new members
  template: "text",
  groups: "text",
  // Configs, services, DNS entries
  endsAt: "moment",
  ips: "text",
  allBut: "flag",
  sources: "text",
  source: "text",
  networks: "count",
  deviceTypes: "choice",
  picture: "text",
  group: "choice",
  exit: "choice",
  // Access rules
  type: "choice",
  target: "text",
  appliesTo: "id",
  memberCount: "count",
  // Servers and interfaces
  server: "text",
  main: "text",
  tunnelsIn: "choice",
  opensForwarding: "flag",
  amneziawg: "text",
  parameters: "text",
  toServer: "text",
  toInterface: "text",
  moved: "count",
  stayed: "count",
  interface: "text",
  configs: "count",
  // Support
  assignedTo: "id",
  waiting: "flag",
  conversations: "count",
  tickets: "count",
  title: "text",
  content: "text",
  // The club
  ...forEachSwitch(() => "flag" as const),
  // Servers over SSH
  host: "text",
  port: "count",
  fingerprint: "text",
  step: "choice",
  // Webhooks
  description: "text",
  enabled: "flag",
  events: "text",
} as const satisfies Record<string, AuditKind>;

export type AuditField = keyof typeof AUDIT_FIELDS;

/** Targets whose columns are recorded under their own names. */
const FIELDS_OF: Partial<Record<AuditTargetKind, Fields>> = {
  member: MEMBER_FIELDS,
  template: TEMPLATE_FIELDS,
  invite: INVITE_FIELDS,
  interface: INTERFACE_FIELDS,
};

/** The API's name for a field recorded about such a target. Entries store the column names. */
export const auditFieldOf = (target: AuditTargetKind, recorded: string): string =>
  nameOfColumn(FIELDS_OF[target] ?? {}, recorded) ??
  recorded.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
