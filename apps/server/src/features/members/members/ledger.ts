import { randomUUID } from "node:crypto";
import type { LedgerKind } from "@krug/domain/ledger";
import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Undoing } from "./events.ts";
import type { LedgerRow, MemberRow, MemberTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();

/** Why a subscription's end moves, and the money that came with it. */
export interface LedgerReason extends Partial<Pick<LedgerRow, "period" | "months" | "amount" | "currency">> {
  kind: LedgerKind;
  /** null: the panel or the command line. */
  byId: string | null;
  /** ms */
  at: number;
  /** The same for all that one press changes. */
  actId?: string | undefined;
  undoing?: Undoing;
}

export interface EndMove extends LedgerReason {
  memberId: string;
  end: number | null;
}

/** A member's subscription, and where their ledger has led so far. */
interface Position extends Pick<MemberRow, "id" | "subscription_end" | "subscription_source"> {
  /** Of the last row; null if there is none. */
  seq: number | null;
  end_after: number | null;
  act_id: string | null;
}

export const nothingYet = (id: string): Position => ({
  id,
  subscription_end: null,
  subscription_source: null,
  seq: null,
  end_after: null,
  act_id: null,
});

export const positionsOf = (tx: Tx, ids: readonly string[]): Promise<Position[]> =>
  inChunks(ids, (some) =>
    tables(tx)
      .selectFrom("members")
      .leftJoin("subscription_ledger as last", (join) =>
        join.onRef("last.member_id", "=", "members.id").on("last.seq", "=", ({ selectFrom }) =>
          selectFrom("subscription_ledger as other")
            .select(({ fn }) => fn.max("other.seq").as("seq"))
            .whereRef("other.member_id", "=", "members.id"),
        ),
      )
      .select(["id", "subscription_end", "subscription_source", "last.seq", "last.end_after", "last.act_id"])
      .where("id", "in", some),
  );

/**
 * Writes what moves the ends of locked members, before it does. Somebody may have moved an end without it: a panel of the previous
 * version, or the operator by SQL. A row says so then, so that the ledger adds up again.
 */
export async function enter(tx: Tx, before: readonly Position[], moves: readonly EndMove[]): Promise<void> {
  const standing = new Map(before.map((row) => [row.id, row]));
  const rows = moves.flatMap(
    ({ memberId, end, kind, byId, at, actId, period, months, amount, currency }): LedgerRow[] => {
      const now = standing.get(memberId);
      if (now === undefined) return [];
      const row = (seq: number, part: Pick<LedgerRow, "kind" | "end_before" | "end_after"> & Partial<LedgerRow>) => ({
        member_id: memberId,
        seq,
        at,
        by_id: null,
        source_before: now.subscription_source,
        period: null,
        months: null,
        amount: null,
        currency: null,
        act_id: actId ?? randomUUID(),
        ...part,
      });
      const { end_after } = now;
      const seq = now.seq ?? 0;
      const missed =
        end_after === now.subscription_end
          ? []
          : [
              row(seq + 1, {
                kind: "opening",
                end_before: end_after,
                end_after: now.subscription_end,
                act_id: memberId,
              }),
            ];
      if (end === now.subscription_end && amount == null) return missed;
      const ends = { end_before: now.subscription_end, end_after: end };
      const paid = {
        period: period ?? null,
        months: months ?? null,
        amount: amount ?? null,
        currency: currency ?? null,
      };
      return [...missed, row(seq + missed.length + 1, { kind, by_id: byId, ...ends, ...paid })];
    },
  );
  for (const some of chunks(rows)) await tables(tx).insertInto("subscription_ledger").values(some).execute();
}

/** A member's rows, the newest first; `before`: those below this number. */
export const ofMember = (
  db: Db | Tx,
  memberId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<LedgerRow[]> =>
  tables(db)
    .selectFrom("subscription_ledger")
    .selectAll()
    .where("member_id", "=", memberId)
    .$if(before !== undefined, (query) => query.where("seq", "<", before ?? 0))
    .orderBy("seq", "desc")
    .limit(limit)
    .execute();

interface Act {
  actId: string;
  byId: string;
  kind: LedgerKind;
}

const partsOf = (db: Db | Tx, { actId, byId, kind }: Act) =>
  tables(db)
    .selectFrom("subscription_ledger as act")
    .where("act.act_id", "=", actId)
    .where("act.by_id", "=", byId)
    .where("act.kind", "=", kind);

/** What one press of somebody did, by member, after `after`; whether it was undone. */
export async function ofAct(
  tx: Tx,
  { after, limit, ...act }: Act & { after: string | null; limit: number },
): Promise<(LedgerRow & { isUndone: boolean })[]> {
  const rows = await partsOf(tx, act)
    .selectAll("act")
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("subscription_ledger as undo")
          .select("undo.seq")
          .whereRef("undo.member_id", "=", "act.member_id")
          .whereRef("undo.act_id", "=", "act.act_id")
          .where("undo.kind", "=", "undo"),
      ).as("undone"),
    )
    .$if(after !== null, (query) => query.where("act.member_id", ">", after ?? ""))
    .orderBy("act.member_id")
    .orderBy("act.seq")
    .limit(limit)
    .execute();
  return rows.map(({ undone, ...row }) => ({ ...row, isUndone: Boolean(undone) }));
}

/** When the last of it was done, ms. */
export async function lastOfAct(tx: Tx, act: Act): Promise<number> {
  const row = await partsOf(tx, act)
    .select(({ fn }) => fn.max("act.at").as("last"))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

/** Members whose ledger does not lead to their subscription's end step by step. Nobody, unless something else wrote the end. */
export async function notAddingUp(db: Db): Promise<string[]> {
  const { rows } = await sql<{ member_id: string }>`
    select last.member_id from subscription_ledger as last join members on members.id = last.member_id
    where last.seq = (select max(seq) from subscription_ledger as other where other.member_id = last.member_id)
      and last.end_after is distinct from members.subscription_end
    union
    select later.member_id from subscription_ledger as later
    left join subscription_ledger as earlier on earlier.member_id = later.member_id and earlier.seq = later.seq - 1
    where later.end_before is distinct from earlier.end_after`.execute(db);
  return rows.map(({ member_id }) => member_id);
}

/** A span of time, ms; `until` is not included. */
export interface Span {
  name: string;
  from: number;
  until: number;
}

/** Whose ledgers count. */
export interface Whose {
  vip: boolean;
  deleted: "with" | "without" | "only";
}

/** What was paid for extensions within each span, by currency, and how many were gifts. An undone one does not count. */
export async function extensionsIn(db: Db, spans: readonly Span[], { vip, deleted }: Whose) {
  const values = spans.map(
    ({ name, from, until }) => sql`(${name}, cast(${from} as bigint), cast(${until} as bigint))`,
  );
  const whose = [
    ...(vip ? [] : [sql`members.is_vip = 0`]),
    ...(deleted === "with" ? [] : [deleted === "only" ? sql`deleted_at is not null` : sql`deleted_at is null`]),
  ];
  const { rows } = await sql<Record<"amount" | "paid" | "gifts", number | string | null> & Extended>`
    with spans (name, starts, ends) as (values ${sql.join(values)})
    select spans.name, currency, sum(amount) as amount,
      sum(case when amount is null then 0 when kind = 'undo' then -1 else 1 end) as paid,
      sum(case when amount is not null then 0 when kind = 'undo' then -1 else 1 end) as gifts
    from spans join subscription_ledger on at >= starts and at < ends
    join members on members.id = member_id
    where kind in ('extension', 'undo') and period is null${sql.join(
      whose.map((one) => sql` and ${one}`),
      sql``,
    )}
    group by spans.name, currency order by spans.name, currency`.execute(db);
  return rows.map(({ name, currency, amount, paid, gifts }) => ({
    name,
    currency,
    amount: Number(amount ?? 0),
    paid: Number(paid ?? 0),
    gifts: Number(gifts ?? 0),
  }));
}
interface Extended {
  name: string;
  currency: string | null;
}
