import type { AuditAction } from "@krug/domain/audit-actions";

export interface AuditRow {
  id: string;
  /** ms since 1970 */
  at: number;
  actor_id: string | null;
  action: AuditAction;
  target: string | null;
  /** JSON */
  before: string | null;
  after: string | null;
  session_id: string | null;
  device: string | null;
  /** The API token that acted; null: a session did. */
  token_name: string | null;
  /** The member it concerns. */
  member_id: string | null;
  via: "telegram" | null;
}

export type AuditTables = {
  audit: AuditRow;
  /** The names in the entry with this id; deleted with the member. */
  audit_names: { entry_id: string; member_id: string; before: string | null; after: string | null };
};

export type Values = Record<string, unknown>;
