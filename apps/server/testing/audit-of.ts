import { AUDIT_FIELDS, type AuditAction } from "@krug/domain/audit-actions";
import type { Db } from "../src/platform/database/database.ts";

/** The audit log's entries about an object, in the order of the acts; acts of the same moment come in no fixed order. */
export async function auditOf({ db }: { db: Db }, target: string) {
  const rows = await db
    .withTables<{
      audit: {
        at: number;
        actor_id: string | null;
        action: AuditAction;
        target: string;
        before: string | null;
        after: string | null;
      };
    }>()
    .selectFrom("audit")
    .select(["actor_id", "action", "before", "after"])
    .where("target", "=", target)
    .orderBy("at", "desc")
    .execute();
  return rows.map(({ actor_id, action, before, after }) => ({
    actorId: actor_id,
    action,
    before: before === null ? null : (JSON.parse(before) as unknown),
    after: after === null ? null : (JSON.parse(after) as unknown),
  }));
}

type Held = { before: string | null; after: string | null };

/** Fields of recorded acts missing from the audit catalogue, which the log would show under these raw names. */
export async function unnamedFields(db: Db): Promise<string[]> {
  const tables = db.withTables<{ audit: Held; audit_names: Held }>();
  const held = [
    ...(await tables.selectFrom("audit").select(["before", "after"]).execute()),
    ...(await tables.selectFrom("audit_names").select(["before", "after"]).execute()),
  ].flatMap(({ before, after }) => [before, after]);
  const recorded = held.flatMap((text) => (text === null ? [] : Object.keys(JSON.parse(text) as object)));
  return [...new Set(recorded)].filter((field) => !(AUDIT_FIELDS as readonly string[]).includes(field));
}
