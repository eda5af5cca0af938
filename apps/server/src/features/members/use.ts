import { sql } from "kysely";
import { chunks } from "../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../platform/database/database.ts";
import type { MemberTables, UseRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();

export type Use = Pick<UseRow, "last_handshake_at" | "month_bytes">;

export async function insertUse(tx: Tx, memberId: string): Promise<void> {
  await tables(tx)
    .insertInto("member_use")
    .values({ member_id: memberId, last_handshake_at: 0, month_bytes: 0, month_as_of: "" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What devices used just now, by member: bytes to be added, and a handshake that counts where it is the later one. */
export async function addUse(tx: Tx, of: ReadonlyMap<string, Use>): Promise<void> {
  const rows = [...of].map(([member_id, use]) => ({ member_id, ...use, month_as_of: "" }));
  // In one order, so that two panels that count at once wait for each other and not around in a circle.
  for (const some of chunks(rows.toSorted((a, b) => (a.member_id < b.member_id ? -1 : 1))))
    await tables(tx)
      .insertInto("member_use")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("member_id").doUpdateSet({
          month_bytes: sql`member_use.month_bytes + excluded.month_bytes`,
          last_handshake_at: sql`case when excluded.last_handshake_at > member_use.last_handshake_at
            then excluded.last_handshake_at else member_use.last_handshake_at end`,
        }),
      )
      .execute();
}

/** Members whose 30 days are not those up to this day yet, locked: what is counted meanwhile waits and is added after. */
export async function lockUseBefore(tx: Tx, day: string, limit: number): Promise<string[]> {
  const query = tables(tx)
    .selectFrom("member_use")
    .select("member_id")
    .where("month_as_of", "<", day)
    .orderBy("member_id")
    .limit(limit)
    .$call(lockRows(tx));
  return (await query.execute()).map((row) => row.member_id);
}

export async function writeUse(tx: Tx, day: string, of: ReadonlyMap<string, Use>): Promise<void> {
  const rows = [...of].map(([member_id, use]) => ({ member_id, ...use, month_as_of: day }));
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("member_use")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("member_id").doUpdateSet((e) => ({
          month_bytes: e.ref("excluded.month_bytes"),
          last_handshake_at: e.ref("excluded.last_handshake_at"),
          month_as_of: e.ref("excluded.month_as_of"),
        })),
      )
      .execute();
}

export async function useOf(db: Db | Tx, memberId: string): Promise<Use> {
  const row = await tables(db)
    .selectFrom("member_use")
    .select(["last_handshake_at", "month_bytes"])
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return row ?? { last_handshake_at: 0, month_bytes: 0 };
}
