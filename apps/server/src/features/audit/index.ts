import { randomUUID } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/database/database.ts";

type AuditTables = {
  audit: {
    id: string;
    at: number;
    actor_id: string | null;
    action: string;
    target: string | null;
    before: string | null;
    after: string | null;
  };
};

export interface AuditEntry {
  /** Null for the panel itself and for the command line. */
  actorId: string | null;
  /** `feature.what`, e.g. 'member.changed'. */
  action: string;
  /** The object's id. */
  target?: string;
  /** Only what changed, and nothing secret. */
  before?: unknown;
  after?: unknown;
}

export interface Audit {
  /** Writes what staff did, in the transaction in which it was done (decisions, section 14). */
  record(tx: Tx, entry: AuditEntry): Promise<void>;
  /** What was done to an object, the newest first, at most `limit` entries. */
  ofTarget(db: Db | Tx, target: string, limit: number): Promise<WrittenEntry[]>;
}

export interface WrittenEntry {
  /** ms since 1970 */
  at: number;
  actorId: string | null;
  action: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export function makeAudit(clock: Clock): Audit {
  const read = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, unknown>));
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  return {
    async record(tx, { actorId, action, target, before, after }) {
      await tx
        .withTables<AuditTables>()
        .insertInto("audit")
        .values({
          id: randomUUID(),
          at: clock.now().getTime(),
          actor_id: actorId,
          action,
          target: target ?? null,
          before: text(before),
          after: text(after),
        })
        .execute();
    },
    async ofTarget(db, target, limit) {
      const rows = await db
        .withTables<AuditTables>()
        .selectFrom("audit")
        .selectAll()
        .where("target", "=", target)
        .orderBy("at", "desc")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(({ at, actor_id, action, before, after }) => ({
        at,
        actorId: actor_id,
        action,
        before: read(before),
        after: read(after),
      }));
    },
  };
}
