import { type Cached, makeCached } from "../../../platform/cached.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared, preparedForList } from "../../../platform/database/prepared.ts";
import type { Signals } from "../../../platform/signals.ts";
import { makeAssignments } from "./assignments.ts";
import type { ServerRow, ServerTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ServerTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("servers").selectAll().where("deleted_at", "is", null);

/** All servers, the oldest first; a club has tens of them at most. */
export const all = (db: Db | Tx): Promise<ServerRow[]> => allPrepared(db, {});
const allPrepared = prepared((db) => living(db).orderBy("created_at").orderBy("id"));

/** Deleted ones too. */
export const ever = (db: Db | Tx): Promise<Pick<ServerRow, "id" | "name">[]> =>
  tables(db).selectFrom("servers").select(["id", "name"]).execute();

export const find = async (db: Db | Tx, id: string): Promise<ServerRow | undefined> => (await byId(db, { id }))[0];
const byId = prepared((db, { id }: { id: string }) => living(db).where("id", "=", id));

export const byIds = preparedForList((db, ids) => living(db).where("id", "in", ids));

export const lock = (tx: Tx, id: string): Promise<ServerRow | undefined> =>
  living(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

const WRITTEN = "servers.written";

/** All servers, from memory. */
export const keepAll = (signals: Signals): Cached<readonly ServerRow[]> => makeCached(signals, WRITTEN, all);

/** Signals those who cache the servers. */
interface Teller {
  signals: Signals;
}

export async function insert({ signals }: Teller, tx: Tx, row: ServerRow): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).insertInto("servers").values(row).execute();
}

export async function update(
  { signals }: Teller,
  tx: Tx,
  id: string,
  change: Partial<Omit<ServerRow, "id">>,
): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).updateTable("servers").set(change).where("id", "=", id).execute();
}

/** Makes one server the main one, and no other. */
export async function setMain(teller: Teller, tx: Tx, id: string): Promise<void> {
  await tables(tx).updateTable("servers").set({ is_main: 0 }).where("is_main", "=", 1).where("id", "<>", id).execute();
  await update(teller, tx, id, { is_main: 1 });
}

export const assignments = makeAssignments("server");
