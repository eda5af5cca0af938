import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ConfigRow, ConfigTables } from "./table.ts";

/* Places that devices leave: rows of `configs` that only servers see (move-config.ts). */

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

export async function insert(tx: Tx, row: ConfigRow): Promise<void> {
  // A row read back has the number that the database generates.
  const written: ConfigRow & { address_number?: unknown } = { ...row };
  delete written.address_number;
  await tables(tx).insertInto("configs").values(written).execute();
}

/** Since when, ms, a moving device is at its current place. */
export async function movedAt(tx: Tx, configId: string): Promise<number> {
  const row = await tables(tx)
    .selectFrom("configs")
    .select((e) => e.fn.max("created_at").as("at"))
    .where("place_of", "=", configId)
    .where("moves_until", "is not", null)
    .executeTakeFirst();
  return Number(row?.at ?? 0);
}

/** The place that each of these devices may still use; of several, the latest. */
export async function keptOf(
  db: Db | Tx,
  configIds: readonly string[],
): Promise<Map<string, Pick<ConfigRow, "interface_id" | "address" | "address_v6">>> {
  const found = new Map<string, Pick<ConfigRow, "interface_id" | "address" | "address_v6">>();
  for (const some of chunks(configIds))
    for (const { place_of, ...row } of await tables(db)
      .selectFrom("configs")
      .select(["place_of", "interface_id", "address", "address_v6"])
      .where("place_of", "in", some)
      .where("moves_until", "is not", null)
      .orderBy(sql`created_at + 0`)
      .execute())
      if (place_of !== null) found.set(place_of, row);
  return found;
}

/** Whether the interface still has this device as a peer, or last bytes of it to count. */
export async function isOn(tx: Tx, configId: string, interfaceId: string): Promise<boolean> {
  const row = await tables(tx)
    .selectFrom("configs")
    .select("id")
    .where("place_of", "=", configId)
    .where("interface_id", "=", interfaceId)
    .where((e) => e.or([e("moves_until", "is not", null), e("on_wire", "=", 1), e("leaving_key", "is not", null)]))
    .executeTakeFirst();
  return row !== undefined;
}

type Left = Pick<ConfigRow, "id" | "interface_id">;

/** Ends these devices' places. `at`: when the devices were deleted; their places can come back with them. */
export const leave = (tx: Tx, configIds: readonly string[], at?: number): Promise<Left[]> =>
  inChunks(configIds, (some) =>
    tables(tx)
      .updateTable("configs")
      .set({ moves_until: null, ...(at === undefined ? {} : { deleted_at: at }) })
      .where("place_of", "in", some)
      .where("moves_until", "is not", null)
      .returning(["id", "interface_id"]),
  );

/** Lets a restored device use the place again that it was leaving when deleted; none if its address was reassigned. */
export const comeBack = (tx: Tx, config: ConfigRow): Promise<Left[]> =>
  tables(tx)
    .updateTable("configs")
    .set({ moves_until: config.moves_until })
    .where("place_of", "=", config.id)
    .where("deleted_at", "=", config.deleted_at)
    .where("address", "<>", "")
    .returning(["id", "interface_id"])
    .execute();

/** Records that these devices' moves are over. Answers those that were in progress. */
export const noteMoved = (tx: Tx, configIds: readonly string[]): Promise<Pick<ConfigRow, "id" | "member_id">[]> =>
  inChunks([...configIds].sort(), (some) =>
    tables(tx)
      .updateTable("configs")
      .set({ moves_until: null })
      .where("id", "in", some)
      .where("place_of", "is", null)
      .where("moves_until", "is not", null)
      .returning(["id", "member_id"]),
  );

/** Devices whose time to move is over, at most `limit`. */
export async function overdue(db: Db | Tx, now: number, limit: number): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("configs")
    .select("id")
    .where("moves_until", "<=", now)
    .where("place_of", "is", null)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Devices that are leaving this interface. */
export async function leaving(db: Db | Tx, interfaceId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("configs")
    .select("place_of")
    .where("moves_until", "is not", null)
    .where("place_of", "is not", null)
    .where(sql`interface_id || ''`, "=", interfaceId)
    .execute();
  return rows.flatMap(({ place_of }) => place_of ?? []);
}
