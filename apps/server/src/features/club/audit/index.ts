import type { AuditAction } from "@krug/domain/audit-actions";
import type { Expression } from "kysely";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { eventType } from "../../../platform/events.ts";
import type { Platform } from "../../../platform/platform.ts";
import { idsIn, without } from "./hidden-members.ts";
import { type AuditEntry, makeRecord } from "./record.ts";
import * as repository from "./repository.ts";
import type { Values } from "./table.ts";

export type { AuditEntry } from "./record.ts";

/** Raised for every entry of the log. */
export const staffActed = eventType<Pick<AuditEntry, "action">>("audit.staff_acted");

/** Members who do not exist for the reader. */
export interface HiddenMembers {
  /** A query for the ids of VIP members. */
  vip: Expression<unknown>;
  /** Which of these ids belong to VIP members. */
  among(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What a staff member did to someone. */
export interface WrittenEntry {
  /** ms since 1970 */
  at: number;
  actorId: string | null;
  action: AuditAction;
  before: Values | null;
  after: Values | null;
}

export interface Audit {
  /** Records an act of staff, in the transaction of the act. */
  record(
    tx: Tx,
    actorId: AuditEntry["actorId"],
    action: AuditEntry["action"],
    more: Omit<AuditEntry, "actorId" | "action">,
  ): Promise<void>;
  recordAll(tx: Tx, entries: readonly AuditEntry[]): Promise<void>;
  /** Entries that concern a member, the newest first, at most `limit`; `hidden` as in the log itself. */
  ofMember(db: Db, memberId: string, wish: { limit: number; hidden: HiddenMembers | null }): Promise<WrittenEntry[]>;
  /** Whether the log has no entries at all. */
  isEmpty(db: Db): Promise<boolean>;
  /** A member was deleted: entries lose the member's names, and stay (decisions, section 2). */
  forgetNames(tx: Tx, memberId: string): Promise<void>;
}

/** The audit log: every act of staff; the database refuses to change entries (decisions, section 14). */
export function makeAudit({ clock, clubTime, events }: Platform): Audit {
  const write = makeRecord(clock);
  const recordAll = async (tx: Tx, entries: readonly AuditEntry[]) => {
    await write(tx, entries);
    await events.recordAll(tx, staffActed, entries);
  };
  return {
    record: (tx, actorId, action, more) => recordAll(tx, [{ actorId, action, ...more }]),
    recordAll,
    isEmpty: repository.isEmpty,
    async ofMember(db, memberId, { limit, hidden }) {
      const wish = { actions: null, actorId: null, concerned: [memberId], from: null, to: null, hidden };
      const rows = await repository.search(db, wish, { after: undefined, limit });
      const entries = rows.map((row) => ({
        at: row.at,
        actorId: row.actor_id,
        action: row.action,
        before: repository.valuesOf(row.action, row.before, row.names_before, clubTime),
        after: repository.valuesOf(row.action, row.after, row.names_after, clubTime),
      }));
      if (hidden === null) return entries;
      const unseen = await hidden.among([...idsIn(entries)]);
      const isSeen = (id: string) => !unseen.has(id);
      return entries.map((entry) => ({
        ...entry,
        before: without(entry.before, isSeen),
        after: without(entry.after, isSeen),
      }));
    },
    forgetNames: repository.forgetNames,
  };
}
