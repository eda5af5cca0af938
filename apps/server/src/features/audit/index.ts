import { randomUUID } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import type { Tx } from "../../platform/database/database.ts";

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
}

export function makeAudit(clock: Clock): Audit {
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
  };
}
