import type { PaymentStatus } from "@krug/domain/payment-rules";
import { type RawBuilder, sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Place } from "../../../platform/pages.ts";
import { FEW_MEMBERS, type MemberCondition, type MemberRow, type Members } from "../../members/members/index.ts";
import type { ClaimRow, PaymentRow, PaymentTables, ReceiptRow, ReceivedRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<PaymentTables>();
const payments = (db: Db | Tx) => tables(db).selectFrom("payments").selectAll();
const claims = (db: Db | Tx) => tables(db).selectFrom("payment_claims").selectAll();
const waiting = (db: Db | Tx) => claims(db).where("state", "=", "waiting");

export const find = (db: Db | Tx, memberId: string, period: string): Promise<PaymentRow | undefined> =>
  payments(db).where("member_id", "=", memberId).where("period", "=", period).executeTakeFirst();

/** All records of the payment that this month belongs to, by month. */
export async function together(db: Db | Tx, row: PaymentRow | undefined): Promise<PaymentRow[]> {
  if (row === undefined) return [];
  if (row.prepayment_id === null) return [row];
  const { member_id, prepayment_id } = row;
  const rows = payments(db).where("member_id", "=", member_id).where("prepayment_id", "=", prepayment_id);
  return rows.orderBy("period").execute();
}

/** A member's records from this month on. */
export const since = (db: Db | Tx, memberId: string, period: string): Promise<PaymentRow[]> =>
  payments(db).where("member_id", "=", memberId).where("period", ">=", period).execute();

/** The last month that anybody has a record of; null if there is none. */
export async function lastPeriod(db: Db): Promise<string | null> {
  const row = await tables(db)
    .selectFrom("payments")
    .select(({ fn }) => fn.max("period").as("last"))
    .executeTakeFirst();
  return row?.last ?? null;
}

/** The newest months first. */
export const newest = (db: Db, memberId: string, limit: number): Promise<PaymentRow[]> =>
  payments(db).where("member_id", "=", memberId).orderBy("period", "desc").limit(limit).execute();

/** These members' records of a month. */
export const ofPeriod = (db: Db, period: string, memberIds: readonly string[]): Promise<PaymentRow[]> =>
  inChunks(memberIds, (ids) => payments(db).where("member_id", "in", ids).where("period", "=", period));

/** The anchor day of the grant that set the subscription's end; null if none did. */
export async function anchorDayOf(
  tx: Db | Tx,
  { id, subscription_end }: Pick<MemberRow, "id" | "subscription_end">,
): Promise<number | null> {
  if (subscription_end === null) return null;
  const row = await payments(tx)
    .where("member_id", "=", id)
    .where("granted_until", "=", subscription_end)
    .orderBy("period", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.granted_anchor_day ?? null;
}

/** The same for many; absent for those whose subscription's end comes from no grant. */
export async function anchorDaysOf(
  db: Db,
  members: readonly Pick<MemberRow, "id" | "subscription_end">[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const endOf = new Map(members.map((member) => [member.id, member.subscription_end]));
  for (const ids of chunks([...endOf.keys()]))
    for (const row of await payments(db)
      .where("member_id", "in", ids)
      .where("granted_until", "is not", null)
      .orderBy("period")
      .execute())
      if (row.granted_until === endOf.get(row.member_id) && row.granted_anchor_day !== null)
        found.set(row.member_id, row.granted_anchor_day);
  return found;
}

/** How many records of a month have this status; `among`: only these members. */
export async function countOf(db: Db, period: string, status: PaymentStatus, among?: SomeMembers): Promise<number> {
  const row = await tables(db)
    .selectFrom("payments")
    .where("period", "=", period)
    .where("status", "=", status)
    .$if(among !== undefined, (query) => query.where("member_id", "in", among as SomeMembers))
    .select(({ fn }) => fn.countAll().as("members"))
    .executeTakeFirst();
  return Number(row?.members ?? 0);
}

export interface StatusGroup {
  status: PaymentStatus;
  currency: string;
  members: number;
  /** Hundredths of the currency. */
  amount: number;
}

/** Numbers and sums of a month's records, by status and currency; `among`: only these members. */
export async function groupsOf(db: Db, period: string, among?: SomeMembers): Promise<StatusGroup[]> {
  const rows = await tables(db)
    .selectFrom("payments")
    .where("period", "=", period)
    .$if(among !== undefined, (query) => query.where("member_id", "in", among as SomeMembers))
    .groupBy(["status", "currency"])
    .select(["status", "currency"])
    .select(({ fn }) => [fn.countAll().as("members"), fn.sum("amount").as("amount")])
    .execute();
  return rows.map((row) => ({ ...row, members: Number(row.members), amount: Number(row.amount ?? 0) }));
}

/** Numbers and sums by currency of payments recorded between two times, ms; `without` these members'. */
export async function paidBetween(db: Db, from: number, until: number, without: SomeMembers | null) {
  const rows = await tables(db)
    .selectFrom("payments")
    .where("paid_at", ">=", from)
    .where("paid_at", "<", until)
    .$if(without !== null, (query) => query.where("member_id", "not in", without as SomeMembers))
    .groupBy("currency")
    .select("currency")
    .select(({ fn }) => [
      fn.count(sql`coalesce(prepayment_id, id)`).distinct().as("payments"),
      fn.sum("amount").as("amount"),
    ])
    .orderBy("currency")
    .execute();
  return rows.map((row) => ({ ...row, payments: Number(row.payments), amount: Number(row.amount ?? 0) }));
}

/** Members without a decision in a month. */
export const unrecorded = (period: string): MemberCondition => ({
  isFew: false,
  holds: (id) => sql`not exists (
    select 1 from payments where payments.member_id = ${id} and payments.period = ${period} and payments.status <> 'pending'
  )`,
});

/** Members whose month is recorded with this status. */
export async function standingSo(db: Db, period: string, status: PaymentStatus): Promise<MemberCondition> {
  const { members } = await tables(db)
    .selectFrom((e) =>
      e
        .selectFrom("payments")
        .select("member_id")
        .where("period", "=", period)
        .where("status", "=", status)
        .limit(FEW_MEMBERS + 1)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll().as("members"))
    .executeTakeFirstOrThrow();
  const isFew = Number(members) <= FEW_MEMBERS;
  return {
    isFew,
    holds: (id) =>
      isFew
        ? sql`${id} in (select member_id from payments where period = ${period} and status = ${status})`
        : sql`exists (
            select 1 from payments where payments.member_id = ${id} and payments.period = ${period} and payments.status = ${status}
          )`,
  };
}

export async function remove(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tables(tx).deleteFrom("payments").where("id", "in", ids).execute();
}

/** Writes months' records, replacing those with the same ids. */
export async function write(tx: Tx, rows: readonly PaymentRow[]): Promise<void> {
  for (const some of chunks(rows)) {
    const columns = Object.keys(some[0] ?? {}).filter((name) => name !== "id") as (keyof PaymentRow)[];
    await tables(tx)
      .insertInto("payments")
      .values(some)
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(({ ref }) =>
            Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}` as "excluded.note")])),
          ),
      )
      .execute();
  }
}

/** These records, by id. */
export async function byIds(tx: Tx, ids: readonly string[]): Promise<Map<string, PaymentRow>> {
  const rows = await inChunks(ids, (some) => payments(tx).where("id", "in", some));
  return new Map(rows.map((row) => [row.id, row]));
}

export const findClaim = (db: Db | Tx, id: string): Promise<ClaimRow | undefined> =>
  claims(db).where("id", "=", id).executeTakeFirst();

/** The newest first. */
export const newestClaims = (db: Db | Tx, memberId: string, limit: number): Promise<ClaimRow[]> =>
  claims(db).where("member_id", "=", memberId).orderBy("claimed_at", "desc").limit(limit).execute();

export const waitingClaim = (db: Db | Tx, memberId: string): Promise<ClaimRow | undefined> =>
  waiting(db).where("member_id", "=", memberId).executeTakeFirst();

export const waitingOf = (db: Db | Tx, memberIds: readonly string[]): Promise<ClaimRow[]> =>
  inChunks(memberIds, (ids) => waiting(db).where("member_id", "in", ids));

/** Selects the ids of members. */
type SomeMembers = ReturnType<Members["idsOfKind"]>;

/** Whose claims to read: none of `without`, and only of `among`. */
interface Whose {
  without: SomeMembers | null;
  among: SomeMembers | null;
}

const ofWhom = ({ without, among }: Whose) => {
  const member = sql.ref("member_id");
  return [
    ...(without === null ? [] : [sql<boolean>`${member} not in ${without}`]),
    ...(among === null ? [] : [sql<boolean>`${member} in ${among}`]),
  ];
};

interface QueuePage {
  /** By this column of the claim's member, ascending; null: the longest waiting first. */
  byMember: ((memberId: RawBuilder<unknown>) => RawBuilder<number>) | null;
  after: Place | undefined;
  limit: number;
}

/** Waiting claims in an order, each with its key in it. */
export function queue(db: Db, whose: Whose, { byMember, after, limit }: QueuePage) {
  const key = byMember?.(sql.ref("member_id")) ?? sql<number>`claimed_at`;
  return waiting(db)
    .select(key.as("sort_key"))
    .where((e) => e.and(ofWhom(whose)))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(${key}, id) > (${after?.key}, ${after?.id})`))
    .orderBy(key)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** How many claims wait for staff. */
export async function countWaiting(db: Db, whose: Whose): Promise<number> {
  const row = await tables(db)
    .selectFrom("payment_claims")
    .where("state", "=", "waiting")
    .where((e) => e.and(ofWhom(whose)))
    .select(({ fn }) => fn.countAll().as("claims"))
    .executeTakeFirst();
  return Number(row?.claims ?? 0);
}

export async function insertClaim(tx: Tx, row: ClaimRow): Promise<void> {
  await tables(tx).insertInto("payment_claims").values(row).execute();
}

export async function updateClaim(tx: Tx, id: string, change: Partial<Omit<ClaimRow, "id">>): Promise<void> {
  await tables(tx).updateTable("payment_claims").set(change).where("id", "=", id).execute();
}

/** Deletes the claim with its receipt. */
export async function deleteClaim(tx: Tx, { id, receipt_id }: ClaimRow): Promise<void> {
  await tables(tx).deleteFrom("payment_claims").where("id", "=", id).execute();
  if (receipt_id !== null) await deleteReceipt(tx, receipt_id);
}

export const findReceipt = (db: Db, id: string): Promise<ReceiptRow | undefined> =>
  tables(db).selectFrom("payment_receipts").selectAll().where("id", "=", id).executeTakeFirst();

export async function insertReceipt(tx: Tx, row: ReceiptRow): Promise<void> {
  await tables(tx).insertInto("payment_receipts").values(row).execute();
}

export async function deleteReceipt(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("payment_receipts").where("id", "=", id).execute();
}

/** These claims, by id. */
export async function claimsByIds(tx: Tx, ids: readonly string[]): Promise<Map<string, ClaimRow>> {
  const rows = await inChunks(ids, (some) => claims(tx).where("id", "in", some));
  return new Map(rows.map((row) => [row.id, row]));
}

/** They wait for a decision again. */
export async function reopenClaims(tx: Tx, ids: readonly string[]): Promise<void> {
  const waitsAgain = { state: "waiting", decided_at: null, decided_by: null, reason: null } as const;
  for (const some of chunks(ids))
    await tables(tx).updateTable("payment_claims").set(waitsAgain).where("id", "in", some).execute();
}

export async function keepReplaced(tx: Tx, row: PaymentTables["payment_undos"]): Promise<void> {
  const { at, before } = row;
  await tables(tx)
    .insertInto("payment_undos")
    .values(row)
    .onConflict((conflict) => conflict.columns(["act_id", "member_id"]).doUpdateSet({ at, before }))
    .execute();
}

/** What an act replaced, by member. */
export async function replacedBy(tx: Tx, actId: string, memberIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await inChunks(memberIds, (some) =>
    tables(tx).selectFrom("payment_undos").selectAll().where("act_id", "=", actId).where("member_id", "in", some),
  );
  return new Map(rows.map((row) => [row.member_id, row.before]));
}

export async function deleteReplacedBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("payment_undos").where("at", "<", at).execute();
}

export const findReceived = (tx: Tx, id: string): Promise<ReceivedRow | undefined> =>
  tables(tx).selectFrom("received_payments").selectAll().where("id", "=", id).executeTakeFirst();

export async function insertReceived(tx: Tx, row: ReceivedRow): Promise<void> {
  await tables(tx).insertInto("received_payments").values(row).execute();
}

/** The newest first. */
export const receivedOf = (db: Db, memberId: string, limit: number): Promise<ReceivedRow[]> =>
  tables(db)
    .selectFrom("received_payments")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("received_at", "desc")
    .limit(limit)
    .execute();

/** Deletes a member's claims, receipts and notes; their months stay. */
export async function forgetWords(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("payment_undos").where("member_id", "=", memberId).execute();
  await tables(tx).deleteFrom("received_payments").where("member_id", "=", memberId).execute();
  await deleteReceiptsOf(tx, claimsWithReceipt(tx).where("member_id", "=", memberId));
  await tables(tx).deleteFrom("payment_claims").where("member_id", "=", memberId).execute();
  await tables(tx).updateTable("payments").set({ note: null }).where("member_id", "=", memberId).execute();
}

/** Receipts of claims decided before `at`, ms. */
export async function deleteReceiptsDecidedBefore(tx: Tx, at: number): Promise<void> {
  await deleteReceiptsOf(tx, claimsWithReceipt(tx).where("decided_at", "<", at));
  await tables(tx)
    .updateTable("payment_claims")
    .set({ receipt_id: null })
    .where("receipt_id", "is not", null)
    .where("decided_at", "<", at)
    .execute();
}

const claimsWithReceipt = (tx: Tx) =>
  tables(tx)
    .selectFrom("payment_claims")
    .select("receipt_id")
    .where("receipt_id", "is not", null)
    .$narrowType<{ receipt_id: string }>();

async function deleteReceiptsOf(tx: Tx, found: ReturnType<typeof claimsWithReceipt>): Promise<void> {
  await tables(tx).deleteFrom("payment_receipts").where("id", "in", found).execute();
}
