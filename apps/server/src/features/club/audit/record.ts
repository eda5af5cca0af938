import { randomUUID } from "node:crypto";
import { AUDIT_ACTIONS, type AuditAction } from "@krug/domain/audit-actions";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import type { Clock } from "../../../platform/clock.ts";
import { chunks } from "../../../platform/database/chunks.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { currentActor } from "../../../platform/http/current-request.ts";
import type { AuditTables, Values } from "./table.ts";

export interface AuditEntry {
  /** Null for the panel itself and for the command line. */
  actorId: string | null;
  action: AuditAction;
  /** The target's id. */
  target?: string;
  /** The member it concerns, if the target belongs to a member and is not the member. */
  memberId?: string;
  /** Only what changed, and nothing secret. */
  before?: object;
  after?: object;
}

/** In an entry about a member, these fields hold the member's own words or someone's words about them. */
const NAMING: ReadonlySet<string> = new Set([
  ...Object.values(MEMBER_FIELDS).flatMap(({ kind, column }) => (kind === "text" ? [column] : [])),
  ...["displayName", "name", "note", "reason", "message"],
]);
/** If an entry does not name the member it concerns, its values may. */
const CONCERNED = ["memberId", "member_id", "userId", "user_id"] as const;

/** Records an act of staff, in the transaction of the act (decisions, section 14). */
export const makeRecord =
  (clock: Clock) =>
  async (tx: Tx, entries: readonly AuditEntry[]): Promise<void> => {
    const tables = tx.withTables<AuditTables>();
    const written = entries.map((entry) => rowsOf(entry, clock.now().getTime()));
    for (const rows of chunks(written.map(({ row }) => row))) await tables.insertInto("audit").values(rows).execute();
    for (const rows of chunks(written.flatMap(({ names }) => names ?? [])))
      await tables.insertInto("audit_names").values(rows).execute();
  };

function rowsOf(entry: AuditEntry, at: number) {
  const id = randomUUID();
  const before = parted(entry.before);
  const after = parted(entry.after);
  const memberId = concernedBy(entry);
  const actor = currentActor();
  const isHisCall = actor !== null && actor.memberId === entry.actorId;
  const via = isHisCall ? (actor.via ?? null) : null;
  const row = {
    id,
    at,
    actor_id: entry.actorId,
    action: entry.action,
    target: entry.target ?? null,
    before: memberId === null ? text(entry.before) : text(before.rest),
    after: memberId === null ? text(entry.after) : text(after.rest),
    session_id: isHisCall && via === null ? actor.sessionId : null,
    device: isHisCall ? actor.device : null,
    token_name: isHisCall ? (actor.apiToken?.name ?? null) : null,
    member_id: memberId,
    via,
  };
  const isNameless = memberId === null || (before.names === undefined && after.names === undefined);
  const names = isNameless
    ? null
    : { entry_id: id, member_id: memberId, before: text(before.names), after: text(after.names) };
  return { row, names };
}

function concernedBy({ action, target, memberId, before, after }: AuditEntry): string | null {
  if (memberId !== undefined) return memberId;
  if (AUDIT_ACTIONS[action] === "member") return target ?? null;
  const values: Values = { ...before, ...after };
  const named = CONCERNED.map((field) => values[field]).find((value) => typeof value === "string");
  return (named as string | undefined) ?? null;
}

/** Splits values into those that name someone, and the rest, which always stays. */
function parted(values: object | undefined): { names: Values | undefined; rest: Values | undefined } {
  if (values === undefined) return { names: undefined, rest: undefined };
  const fields = Object.entries(values);
  const names = fields.filter(([field]) => NAMING.has(field));
  return {
    names: names.length === 0 ? undefined : Object.fromEntries(names),
    rest: Object.fromEntries(fields.filter(([field]) => !NAMING.has(field))),
  };
}

const text = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
