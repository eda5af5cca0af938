import { sql } from "kysely";
import { type Cached, makeCached } from "../../../platform/cached.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared, preparedForList } from "../../../platform/database/prepared.ts";
import type { Signals } from "../../../platform/signals.ts";
import { makeAssignments } from "../servers/index.ts";
import type { EndpointRow, InterfaceRow, InterfaceTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<InterfaceTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("interfaces").selectAll().where("deleted_at", "is", null);

export const all = (db: Db | Tx): Promise<InterfaceRow[]> => allPrepared(db, {});
const allPrepared = prepared((db) => living(db).orderBy("created_at").orderBy("id"));

/** Deleted ones too: their traffic stays in the statistics. */
export const ever = (db: Db | Tx): Promise<Pick<InterfaceRow, "id" | "name" | "server_id">[]> =>
  tables(db).selectFrom("interfaces").select(["id", "name", "server_id"]).execute();

export const find = (db: Db | Tx, id: string): Promise<InterfaceRow | undefined> =>
  living(db).where("id", "=", id).executeTakeFirst();

export const ofServer = (db: Db | Tx, serverId: string): Promise<InterfaceRow[]> => ofServerPrepared(db, { serverId });
const ofServerPrepared = prepared((db, { serverId }: { serverId: string }) =>
  living(db).where("server_id", "=", serverId).orderBy("created_at").orderBy("id"),
);

export const ofServers = preparedForList((db, serverIds) =>
  living(db).where("server_id", "in", serverIds).orderBy("created_at").orderBy("id"),
);

/** Every interface this panel ever made on the server, deleted ones too. */
export const everOn = (db: Db | Tx, serverId: string): Promise<Pick<InterfaceRow, "id" | "public_key">[]> =>
  tables(db).selectFrom("interfaces").select(["id", "public_key"]).where("server_id", "=", serverId).execute();

/** What the panel may change there: their keys, unless they were given back, and those of its links to other servers. */
export const keysEverOn = async (db: Db | Tx, serverId: string): Promise<string[]> => {
  const own = tables(db).selectFrom("interfaces").select("public_key").where("server_id", "=", serverId);
  const ofLinks = tables(db).selectFrom("exit_link_keys").select("public_key").where("server_id", "=", serverId);
  return [...(await own.where("given_back", "=", 0).execute()), ...(await ofLinks.execute())].map(
    (row) => row.public_key,
  );
};

export async function keepLinkKeys(tx: Tx, rows: readonly InterfaceTables["exit_link_keys"][]): Promise<void> {
  await tables(tx)
    .insertInto("exit_link_keys")
    .values([...rows])
    .execute();
}

/**
 * Deleted and gone from the machine: from now on the key is another program's there, and may be imported again. Returns the ids.
 */
export async function giveBack(tx: Tx, serverId: string, publicKey: string): Promise<string[]> {
  const rows = await tables(tx)
    .updateTable("interfaces")
    .set({ given_back: 1, public_key: sql<string>`'given back ' || id` })
    .where("server_id", "=", serverId)
    .where("public_key", "=", publicKey)
    .where("deleted_at", "is not", null)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Locked until the transaction ends, so that one address is assigned once. */
export const lock = async (tx: Tx, id: string): Promise<InterfaceRow | undefined> => (await locked(tx, { id }))[0];
const locked = prepared((tx: Tx, { id }: { id: string }) => living(tx).where("id", "=", id).$call(lockRows(tx)));

export async function exist(db: Db | Tx, ids: readonly string[]): Promise<boolean> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return true;
  return (await living(db).where("id", "in", distinct).execute()).length === distinct.length;
}

const WRITTEN = "interfaces.written";

/** All interfaces, from memory. */
export const keepAll = (signals: Signals): Cached<readonly InterfaceRow[]> => makeCached(signals, WRITTEN, all);

/** Signals those who cache the interfaces. */
interface Teller {
  signals: Signals;
}

export async function insert({ signals }: Teller, tx: Tx, row: InterfaceRow): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).insertInto("interfaces").values(row).execute();
}

export async function update(
  { signals }: Teller,
  tx: Tx,
  id: string,
  change: Partial<Omit<InterfaceRow, "id">>,
): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).updateTable("interfaces").set(change).where("id", "=", id).execute();
}

/** After a restore: it is not known yet what else is on these interfaces. */
export async function awaitFirstLooks(tx: Tx): Promise<void> {
  await tables(tx).updateTable("interfaces").set({ first_look_due: 1 }).where("deleted_at", "is", null).execute();
}

export const endpoints = (db: Db): Promise<EndpointRow[]> =>
  tables(db).selectFrom("endpoint_addresses").selectAll().execute();

export const endpoint = (db: Db | Tx, name: string): Promise<EndpointRow | undefined> =>
  tables(db).selectFrom("endpoint_addresses").selectAll().where("name", "=", name).executeTakeFirst();

export async function saveEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  const { name, ...change } = row;
  await tables(tx)
    .insertInto("endpoint_addresses")
    .values(row)
    .onConflict((oc) => oc.column("name").doUpdateSet(change))
    .execute();
}

export async function removeEndpoints(tx: Tx, names: readonly string[]): Promise<void> {
  if (names.length > 0)
    await tables(tx)
      .deleteFrom("endpoint_addresses")
      .where("name", "in", [...names])
      .execute();
}

export const assignments = makeAssignments("interface");
