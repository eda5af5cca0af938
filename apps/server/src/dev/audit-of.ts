import type { AuditAction } from "@krug/domain/audit-actions";
import type { Club } from "./start-club.ts";

/** What the audit log has about an object, in the order of its acts; of one moment in none. */
export async function auditOf({ db }: Pick<Club, "db">, target: string) {
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
