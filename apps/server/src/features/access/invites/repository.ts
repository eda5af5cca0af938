import { NO_LIMIT } from "@krug/domain/config-rules";
import type { InviteState } from "@krug/domain/invite-rules";
import { type RawBuilder, sql } from "kysely";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { AttemptRow, InviteRow, InviteTables, JoiningCountRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<InviteTables>();
const codes = (db: Db | Tx) => tables(db).selectFrom("invite_codes").selectAll();
const staffCodes = (db: Db | Tx) => codes(db).where("kind", "=", "staff");

export const findByHash = (db: Db | Tx, codeHash: string): Promise<InviteRow | undefined> =>
  codes(db).where("code_hash", "=", codeHash).executeTakeFirst();

export const staffCodeById = (db: Db | Tx, id: string): Promise<InviteRow | undefined> =>
  staffCodes(db).where("id", "=", id).executeTakeFirst();

export const staffCodeByHash = (db: Db | Tx, codeHash: string): Promise<InviteRow | undefined> =>
  staffCodes(db).where("code_hash", "=", codeHash).executeTakeFirst();

export const lock = (tx: Tx, id: string): Promise<InviteRow | undefined> =>
  codes(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** A search among staff's codes. A code's state depends on `now`, ms, and on the uses that the reader may know of. */
export interface CodeSearch {
  state: InviteState | "all";
  now: number;
  uses: RawBuilder<number>;
}

/** The same verdict as the rule `inviteState`, in SQL. */
const inState =
  ({ state, now, uses }: CodeSearch) =>
  <Query extends { where(condition: RawBuilder<boolean>): Query }>(query: Query): Query => {
    const isOver = (column: string) => sql`${sql.ref(column)} is not null and ${sql.ref(column)} <= ${now}`;
    const expired = sql<boolean>`(${isOver("expires_at")} or ${isOver("subscription_end")})`;
    const used = sql<boolean>`(max_uses <> ${NO_LIMIT} and ${uses} >= max_uses)`;
    const conditions: Record<CodeSearch["state"], RawBuilder<boolean> | null> = {
      all: null,
      deactivated: sql`is_active = 0`,
      expired: sql`is_active = 1 and ${expired}`,
      used: sql`is_active = 1 and not ${expired} and ${used}`,
      active: sql`is_active = 1 and not ${expired} and not ${used}`,
    };
    const condition = conditions[state];
    return condition === null ? query : query.where(condition);
  };

/** Staff's codes, the newest first, those after the code `after`. */
export const staffCodesAfter = (
  db: Db,
  search: CodeSearch,
  after: InviteRow | undefined,
  { skip, limit }: { skip: number; limit: number },
): Promise<InviteRow[]> =>
  staffCodes(db)
    .$call(inState(search))
    .$if(after !== undefined, (query) =>
      query.where((e) =>
        e.or([
          e("created_at", "<", after?.created_at ?? 0),
          e.and([e("created_at", "=", after?.created_at ?? 0), e("id", "<", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset(skip)
    .execute();

/** The uses to show for these codes, by id. */
export async function usesOf(
  db: Db,
  ids: readonly string[],
  uses: RawBuilder<number>,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom("invite_codes")
    .select(["id", uses.as("uses")])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, Number(row.uses)]));
}

export async function hasStaffCodes(db: Db): Promise<boolean> {
  return (await staffCodes(db).clearSelect().select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function countStaffCodes(db: Db, search: CodeSearch): Promise<number> {
  const row = await tables(db)
    .selectFrom("invite_codes")
    .where("kind", "=", "staff")
    .$call(inState(search))
    .select(({ fn }) => fn.countAll().as("codes"))
    .executeTakeFirst();
  return Number(row?.codes ?? 0);
}

/** A member's newest own code. */
export const newestOwn = (db: Db | Tx, memberId: string): Promise<InviteRow | undefined> =>
  codes(db)
    .where("kind", "=", "member")
    .where("created_by", "=", memberId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();

/** All of a member's own codes, the newest first. */
export const ownCodes = (db: Db, memberId: string, limit: number): Promise<InviteRow[]> =>
  codes(db)
    .where("kind", "=", "member")
    .where("created_by", "=", memberId)
    .orderBy("created_at", "desc")
    .limit(limit)
    .execute();

/** A member's own codes made since `from`, ms. */
export async function countOwnSince(tx: Tx, memberId: string, from: number): Promise<number> {
  const row = await tables(tx)
    .selectFrom("invite_codes")
    .where("kind", "=", "member")
    .where("created_by", "=", memberId)
    .where("created_at", ">=", from)
    .select(({ fn }) => fn.countAll().as("codes"))
    .executeTakeFirst();
  return Number(row?.codes ?? 0);
}

/** False, and nothing written, if such a code exists. */
export async function insert(tx: Tx, row: InviteRow): Promise<boolean> {
  const written = await tables(tx)
    .insertInto("invite_codes")
    .values(row)
    .onConflict((conflict) => conflict.column("code_hash").doNothing())
    .returning("id")
    .executeTakeFirst();
  return written !== undefined;
}

export async function update(tx: Tx, id: string, change: Partial<Omit<InviteRow, "id">>): Promise<void> {
  await tables(tx).updateTable("invite_codes").set(change).where("id", "=", id).execute();
}

/** Takes one use of an active code: of two who race for the last one, one gets the row and the other nothing. */
export const takeUse = (tx: Tx, id: string, now: number): Promise<InviteRow | undefined> =>
  tables(tx)
    .updateTable("invite_codes")
    .set((e) => ({ current_uses: e("current_uses", "+", 1) }))
    .where("id", "=", id)
    .where("is_active", "=", 1)
    .where((e) => e.or([e("expires_at", "is", null), e("expires_at", ">", now)]))
    .where((e) => e.or([e("subscription_end", "is", null), e("subscription_end", ">", now)]))
    .where((e) => e.or([e("max_uses", "=", NO_LIMIT), e("current_uses", "<", e.ref("max_uses"))]))
    .returningAll()
    .executeTakeFirst();

/** Of staff codes, not of those with which members invite friends. */
export const workingStaffCodesOf = (tx: Tx, memberId: string): Promise<Pick<InviteRow, "id">[]> =>
  tables(tx)
    .selectFrom("invite_codes")
    .select("id")
    .where("kind", "=", "staff")
    .where("created_by", "=", memberId)
    .where("is_active", "=", 1)
    .execute();

export async function deactivateOwnCodes(tx: Tx, memberId: string): Promise<void> {
  await tables(tx)
    .updateTable("invite_codes")
    .set({ is_active: 0 })
    .where("kind", "=", "member")
    .where("created_by", "=", memberId)
    .execute();
}

/** Codes with this template use the default from now on. */
export async function takeTemplateOff(tx: Tx, templateId: string): Promise<void> {
  await tables(tx)
    .updateTable("invite_codes")
    .set({ template_id: null })
    .where("template_id", "=", templateId)
    .execute();
}

export const attempts = (db: Db | Tx, addressHash: string): Promise<AttemptRow | undefined> =>
  tables(db).selectFrom("invite_attempts").selectAll().where("address_hash", "=", addressHash).executeTakeFirst();

export async function writeAttempts(tx: Tx, row: AttemptRow): Promise<void> {
  const { wrong_codes, last_wrong_at } = row;
  await tables(tx)
    .insertInto("invite_attempts")
    .values(row)
    .onConflict((conflict) => conflict.column("address_hash").doUpdateSet({ wrong_codes, last_wrong_at }))
    .execute();
}

export async function clearAttempts(tx: Tx, addressHash: string): Promise<void> {
  await tables(tx).deleteFrom("invite_attempts").where("address_hash", "=", addressHash).execute();
}

export async function deleteAttemptsBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("invite_attempts").where("last_wrong_at", "<=", at).execute();
}

export const joiningCounts = (db: Db | Tx, subjects: readonly string[]): Promise<JoiningCountRow[]> =>
  tables(db).selectFrom("joining_counts").selectAll().where("subject", "in", subjects).execute();

/** Counts one more and returns the count; a row from `over` or earlier starts again. */
export const countJoining = (
  tx: Tx,
  { subject, what, now, over }: Pick<JoiningCountRow, "subject" | "what"> & { now: number; over: number },
): Promise<JoiningCountRow> =>
  tables(tx)
    .insertInto("joining_counts")
    .values({ subject, what, times: 1, since: now })
    .onConflict((conflict) =>
      conflict.columns(["subject", "what"]).doUpdateSet({
        times: sql<number>`case when joining_counts.since <= ${over} then 1 else joining_counts.times + 1 end`,
        since: sql<number>`case when joining_counts.since <= ${over} then ${now} else joining_counts.since end`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();

export async function deleteJoiningCountsUntil(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("joining_counts").where("since", "<=", at).execute();
}
