import { createHash } from "node:crypto";
import { type Expression, type RawBuilder, sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import { type Db, isPostgres, lockRows, type Tx } from "../../../platform/database/database.ts";
import { preparedForList } from "../../../platform/database/prepared.ts";
import { IS_KEPT_PLACE } from "./repository.ts";
import { type ConfigOnServer, type ConfigRow, type ConfigTables, ON_SERVERS } from "./table.ts";

/* Configs, and places that devices leave, as peers of their servers. */

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** A place that a device leaves, as its server sees it: an ordinary peer with the device's key. */
const asPeer = <Row extends ConfigOnServer>(row: Row): Row =>
  row.place_of === null
    ? row
    : {
        ...row,
        public_key: row.peer_key ?? row.public_key,
        deleted_at: row.moves_until === null ? row.deleted_at : null,
      };

/** As servers see them, including places that devices leave. */
export async function byIds(db: Db | Tx, ids: readonly string[]): Promise<ConfigRow[]> {
  const rows: ConfigRow[] = [];
  for (const some of chunks(ids)) rows.push(...(await someById(db, some)));
  return rows.map(asPeer);
}
const someById = preparedForList((db, ids) => tables(db).selectFrom("configs").selectAll().where("id", "in", ids));

/** The same, with what servers need of them only. */
export async function onServersByIds(db: Db | Tx, ids: readonly string[]): Promise<ConfigOnServer[]> {
  const rows: ConfigOnServer[] = [];
  for (const some of chunks(ids)) rows.push(...(await someOnServers(db, some)));
  return rows.map(asPeer);
}
const someOnServers = preparedForList((db, ids) =>
  tables(db).selectFrom("configs").select(ON_SERVERS).where("id", "in", ids),
);

/** Configs that are not deleted and have a place on these interfaces, and the places there that devices leave. */
export async function onInterfaces(db: Db | Tx, interfaceIds: readonly string[]): Promise<ConfigOnServer[]> {
  if (interfaceIds.length === 0) return [];
  const configs = tables(db).selectFrom("configs").select(ON_SERVERS);
  const living = await configs
    .where("interface_id", "in", [...interfaceIds])
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  // Not ordered by the column: SQLite would use its index, and read every config of every server.
  const kept = await configs.where(IS_KEPT_PLACE).where(anyOf(interfaceIds)).orderBy(sql`id || ''`).execute();
  return [...living, ...kept.map(asPeer)];
}

/** An expression, so that no index applies: SQLite would read all configs of the interfaces for a few. */
const anyOf = (interfaceIds: readonly string[]) => sql<boolean>`interface_id || '' in (${sql.join(interfaceIds)})`;

/**
 * Changes with everything about live configs and kept places on these interfaces that decides their peers and what is recorded
 * about them: the same fingerprint, the same peers. `entitled` selects the ids of members who may use the VPN.
 */
export async function fingerprintOfPeers(
  db: Db,
  interfaceIds: readonly string[],
  entitled: Expression<{ id: string }>,
): Promise<string> {
  if (interfaceIds.length === 0) return "";
  // Checked for each peer: a list of everyone entitled would cost every server as much as the club has members.
  const isEntitled = sql`exists (select 1 from (${entitled}) as entitled where entitled.id = configs.member_id)`;
  // Sorting is most of the cost, and SQLite scans in one order anyway; PostgreSQL may scan with several processes.
  const inOrder = isPostgres(db) ? sql`order by id` : sql``;
  const text = (key: "public_key" | "peer_key") => sql`
    string_agg(concat_ws(' ', interface_id, ${sql.ref(key)}, sealed_preshared_key, address, address_v6, is_blocked,
      dormant_since is null, on_wire, ${isEntitled}), ' ' ${inOrder})`;
  // 10,000 peers are 2 MB: PostgreSQL hashes them itself, and SQLite answers bytes, which are no garbage on V8's heap.
  const brief = (all: RawBuilder<unknown>) =>
    isPostgres(db) ? sql`sha256(convert_to(${all}, 'UTF8'))` : sql`cast(${all} as blob)`;
  const found = await sql<{ living: Uint8Array | null; kept: Uint8Array | null }>`
    select (select ${brief(text("public_key"))} from configs where deleted_at is null and interface_id in (${sql.join(interfaceIds)})) as living,
      (select ${brief(text("peer_key"))} from configs where ${IS_KEPT_PLACE} and ${anyOf(interfaceIds)}) as kept`.execute(
    db,
  );
  const hash = createHash("sha256");
  for (const bytes of [found.rows[0]?.living, found.rows[0]?.kept]) hash.update(bytes ?? "").update("\n");
  return hash.digest("base64");
}

/** A peer's row: a config, or a place that a device leaves or left. */
export interface PeerRow extends Pick<ConfigRow, "id" | "interface_id" | "place_of" | "moves_until"> {
  key: string;
}

/**
 * The owners of these peers, including silenced ones whose config has lost its key, until their last bytes are counted. A key is
 * on one interface once; later rows take precedence.
 */
export async function peersByKeys(db: Db | Tx, publicKeys: readonly string[]): Promise<PeerRow[]> {
  const found: PeerRow[] = [];
  for (const some of chunks(publicKeys))
    for (const column of ["leaving_key", "peer_key", "public_key"] as const)
      for (const { key, ...row } of await tables(db)
        .selectFrom("configs")
        .select(["id", "interface_id", "place_of", "moves_until", `${column} as key`])
        .where(column, "in", some)
        .execute())
        if (key !== null) found.push({ ...row, key });
  return found;
}

type WithKey = { id: string; interface_id: string; public_key: string };
const keyOfPeer = sql<string>`coalesce(peer_key, public_key)`;

export const noteOnWire = (tx: Tx, rows: readonly WithKey[], onWire: boolean): Promise<void> =>
  updateIfKeyIs(tx, rows, onWire ? sql`on_wire = 1, leaving_key = null` : sql`on_wire = 0`);

/** What servers have not dropped yet, on these interfaces: deleted configs, and places that devices have left. */
export async function undroppedOn(db: Db | Tx, interfaceIds: readonly string[]): Promise<ConfigRow[]> {
  if (interfaceIds.length === 0) return [];
  const rows = await tables(db)
    .selectFrom("configs")
    .selectAll()
    .where("interface_id", "in", [...interfaceIds])
    .where("on_wire", "=", sql.lit(1))
    .where("deleted_at", "is not", null)
    .where((e) => e.not(IS_KEPT_PLACE))
    .execute();
  return rows.map(asPeer);
}

/** Records that peers are silenced. */
export const noteSilenced = (tx: Tx, rows: readonly WithKey[]): Promise<void> =>
  updateIfKeyIs(tx, rows, sql`on_wire = 0, leaving_key = ${keyOfPeer}`);

/** Skips a row whose key or interface changed meanwhile: another job handles it. */
async function updateIfKeyIs(tx: Tx, rows: readonly WithKey[], change: RawBuilder<unknown>): Promise<void> {
  const columns = ["id", "interface_id", "public_key"] as const;
  for (const some of chunks(rows)) {
    const lists = columns.map((column) => some.map((row) => row[column]));
    const known = isPostgres(tx)
      ? sql`select * from unnest(${sql.join(lists.map((list) => sql`${list}::text[]`))}) as known(id, interface_id, key)`
      : sql`values ${sql.join(some.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`))}`;
    // In the order of ids, so that others who lock several do not deadlock.
    await sql`with known (id, interface_id, key) as (${known})
      update configs set ${change} from (select * from known order by id) as known
      where configs.id = known.id and configs.interface_id = known.interface_id and ${keyOfPeer} = known.key`.execute(
      tx,
    );
  }
}

/** Records that the last bytes of silenced peers are counted. */
export async function noteCounted(tx: Tx, interfaceIds: readonly string[]): Promise<void> {
  if (interfaceIds.length === 0) return;
  await tables(tx)
    .updateTable("configs")
    .set({ leaving_key: null })
    .where("leaving_key", "is not", null)
    .where("interface_id", "in", [...interfaceIds])
    .execute();
}

/** A member's configs that still have keys, also just deleted ones; locked, so that no key changes meanwhile. */
export const lockKeptOf = (tx: Tx, memberId: string): Promise<ConfigRow[]> =>
  tables(tx)
    .selectFrom("configs")
    .selectAll()
    .where("member_id", "=", memberId)
    .where("address", "<>", "")
    .orderBy("id")
    .$call(lockRows(tx))
    .execute()
    .then((rows) => rows.map(asPeer));
