import { AUDIT_ACTIONS, type AuditAction } from "@krug/domain/audit-actions";
import { AUDIT_FIELDS, auditFieldOf } from "@krug/domain/audit-fields";
import type { Db } from "../src/platform/database/database.ts";

/** The audit log's entries about an object, in the order of the acts; simultaneous acts come in no fixed order. */
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

type Held = { action: AuditAction; before: string | null; after: string | null };

/** Fields of recorded acts missing from the audit catalogue, which the log would show under these raw names. */
export async function unnamedFields(db: Db): Promise<string[]> {
  const tables = db.withTables<{
    audit: Held & { id: string };
    audit_names: Omit<Held, "action"> & { entry_id: string };
  }>();
  const held = [
    ...(await tables.selectFrom("audit").select(["action", "before", "after"]).execute()),
    ...(await tables
      .selectFrom("audit_names")
      .innerJoin("audit", "audit.id", "audit_names.entry_id")
      .select(["audit.action", "audit_names.before", "audit_names.after"])
      .execute()),
  ];
  const recorded = held.flatMap(({ action, before, after }) =>
    [before, after].flatMap((text) =>
      text === null
        ? []
        : Object.keys(JSON.parse(text) as object).map((name) => auditFieldOf(AUDIT_ACTIONS[action], name)),
    ),
  );
  return [...new Set(recorded)].filter((field) => !(field in AUDIT_FIELDS));
}
