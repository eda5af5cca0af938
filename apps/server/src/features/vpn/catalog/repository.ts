import { type Db, isPostgres, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared, preparedForList } from "../../../platform/database/prepared.ts";
import type { Signals } from "../../../platform/signals.ts";
import type { CatalogTables, DnsRow, ServiceRow, TypedList } from "./table.ts";

type Table = Exclude<keyof CatalogTables, "service_texts">;
type Change<Row> = Partial<Omit<Row, "id" | "position" | "created_at">>;
type NewService = Omit<ServiceRow, "all_but">;

const tables = (db: Db | Tx) => db.withTables<CatalogTables>();

/** The most rows a list returns (decisions, section 13). */
const LIST_MAX = 1_000;

/** Names are unique without regard to case, in any script. */
export const nameKey = (name: string) => name.normalize("NFC").toLowerCase();

const services = (db: Db | Tx) =>
  tables(db)
    .selectFrom("services")
    .selectAll()
    .select((e) =>
      e.selectFrom("service_texts").whereRef("service_id", "=", "services.id").select("all_but").as("all_but"),
    )
    .orderBy("position")
    .orderBy("id");
const dnsEntries = (db: Db | Tx) => tables(db).selectFrom("dns_entries").selectAll().orderBy("position").orderBy("id");

/** For `$call`: many transactions can read and hold the rows at once, but none can delete them meanwhile. */
const holdRows =
  (tx: Tx) =>
  <Query extends { forKeyShare(): Query }>(query: Query): Query =>
    isPostgres(tx) ? query.forKeyShare() : query;

export const allServices = (db: Db | Tx): Promise<ServiceRow[]> => services(db).limit(LIST_MAX).execute();

export const allDns = (db: Db | Tx): Promise<DnsRow[]> => dnsEntries(db).limit(LIST_MAX).execute();

export const servicesByIds = async (db: Db | Tx, ids: readonly string[]): Promise<ServiceRow[]> =>
  ids.length === 0
    ? []
    : services(db)
        .where("id", "in", [...ids])
        .execute();

export const holdServices = async (tx: Tx, ids: readonly string[]): Promise<ServiceRow[]> =>
  ids.length === 0 ? [] : heldServices(tx, ids);
const heldServices = preparedForList((tx: Tx, ids) => services(tx).where("id", "in", ids).$call(holdRows(tx)));

export const dnsById = (db: Db | Tx, id: string): Promise<DnsRow | undefined> =>
  dnsEntries(db).where("id", "=", id).executeTakeFirst();

export const holdDns = async (tx: Tx, id: string): Promise<DnsRow | undefined> => (await heldDns(tx, { id }))[0];
const heldDns = prepared((tx: Tx, { id }: { id: string }) => dnsEntries(tx).where("id", "=", id).$call(holdRows(tx)));

export const lockService = (tx: Tx, id: string): Promise<ServiceRow | undefined> =>
  services(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export const lockDns = (tx: Tx, id: string): Promise<DnsRow | undefined> =>
  dnsEntries(tx).where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

/** The signal by which panels notify each other of a change. */
export const WRITTEN = "catalog.written";

/** Every writer notifies those who cache the catalogue. */
interface Teller {
  signals: Signals;
}

export async function insertService({ signals }: Teller, tx: Tx, row: NewService): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).insertInto("services").values(row).execute();
}

export async function insertDns({ signals }: Teller, tx: Tx, row: DnsRow): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).insertInto("dns_entries").values(row).execute();
}

export async function updateService(
  { signals }: Teller,
  tx: Tx,
  id: string,
  change: Change<NewService>,
): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).updateTable("services").set(change).where("id", "=", id).execute();
}

export async function updateDns({ signals }: Teller, tx: Tx, id: string, change: Change<DnsRow>): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).updateTable("dns_entries").set(change).where("id", "=", id).execute();
}

export async function remove({ signals }: Teller, tx: Tx, table: Table, id: string): Promise<void> {
  signals.send(tx, WRITTEN);
  await tables(tx).deleteFrom(table).where("id", "=", id).execute();
}

/** undefined: a program set the addresses, or the text is exactly the addresses. */
export async function typedOf(db: Db | Tx, serviceId: string): Promise<TypedList | undefined> {
  return tables(db)
    .selectFrom("service_texts")
    .select(["typed", "all_but"])
    .where("service_id", "=", serviceId)
    .executeTakeFirst();
}

export async function keepTyped(tx: Tx, serviceId: string, list: TypedList | null): Promise<void> {
  await tables(tx).deleteFrom("service_texts").where("service_id", "=", serviceId).execute();
  if (list !== null)
    await tables(tx)
      .insertInto("service_texts")
      .values({ service_id: serviceId, ...list })
      .execute();
}

/** Id of the entry with this name, ignoring case. */
export async function idNamed(tx: Tx, table: Table, name: string): Promise<string | undefined> {
  const row = await tables(tx).selectFrom(table).select("id").where("name_key", "=", nameKey(name)).executeTakeFirst();
  return row?.id;
}

/** The position after the last one. */
export async function nextPosition(tx: Tx, table: Table): Promise<number> {
  const row = await tables(tx)
    .selectFrom(table)
    .select(({ fn }) => fn.max("position").as("last"))
    .executeTakeFirst();
  return Number(row?.last ?? 0) + 1;
}

export async function isEmpty(tx: Tx): Promise<boolean> {
  return (await allServices(tx)).length === 0 && (await allDns(tx)).length === 0;
}
