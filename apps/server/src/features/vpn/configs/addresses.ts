import { sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import { type Db, lockFreeRows, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import { hostNumbersOf } from "../interfaces/index.ts";
import type { ConfigRow, ConfigTables } from "./table.ts";

/* Addresses of interfaces: in use, free, and returned by deleted configs. */

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** Addresses in use on an interface, including those of deleted configs that can still be restored, and of unknown peers. */
export async function countAddresses(tx: Tx, interfaceId: string): Promise<number> {
  const rows = await tables(tx)
    .selectFrom("configs")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("interface_id", "=", interfaceId)
    .where("address_number", "is not", null)
    .unionAll(
      tables(tx)
        .selectFrom("unknown_peers")
        .select((e) => e.fn.countAll<number>().as("count"))
        .where("interface_id", "=", interfaceId),
    )
    .execute();
  return rows.reduce((all, { count }) => all + Number(count), 0);
}

/** The addresses for an interface's devices, as numbers. */
interface Hosts {
  first: number;
  last: number;
}

/** Of the interface's configs, and of devices on the wire that a restored backup does not know. */
const configNumbers = (db: Db | Tx, interfaceId: string) =>
  tables(db)
    .selectFrom("configs")
    .select((e) => e.fn.max("address_number").as("number"))
    .where("interface_id", "=", interfaceId)
    .where("address_number", "is not", null)
    .unionAll(
      tables(db)
        .selectFrom("unknown_peers")
        .select((e) => e.fn.max("address_number").as("number"))
        .where("interface_id", "=", interfaceId),
    );

/** The highest address ever taken. One returned meanwhile becomes free at the same moment, so it counts too. */
const highestNumber = async (tx: Tx, interfaceId: string): Promise<number | null> => {
  const found = (await highest(tx, { interfaceId })).flatMap(({ number }) => number ?? []);
  return found.length === 0 ? null : Math.max(...found);
};
const highest = prepared((db, { interfaceId }: { interfaceId: string }) =>
  configNumbers(db, interfaceId).unionAll(
    tables(db)
      .selectFrom("free_addresses")
      .select((e) => e.fn.max("address_number").as("number"))
      .where("interface_id", "=", interfaceId),
  ),
);

/** `isHighest`: no other device of the interface has a higher one. */
interface TakenAddress {
  number: number;
  isHighest: boolean;
}

/**
 * Takes the lowest free address of a locked interface; null if there is none. `free_addresses` has the free ones below the
 * highest ever taken, so this costs the same with 10 devices as with 60,000.
 */
export async function takeAddress(tx: Tx, interfaceId: string, { first, last }: Hosts): Promise<TakenAddress | null> {
  const returned = async () => {
    const [found] = await takeReturned(tx, { interfaceId, first, last });
    return found === undefined ? null : { number: found.address_number, isHighest: false };
  };
  const lowest = await returned();
  if (lowest !== null) return lowest;
  const next = Math.max(first, ((await highestNumber(tx, interfaceId)) ?? 0) + 1);
  // Full, unless one was returned since the first query.
  return next <= last ? { number: next, isHighest: true } : returned();
}
const takeReturned = prepared((db, { interfaceId, first, last }: Hosts & { interfaceId: string }) =>
  tables(db)
    .deleteFrom("free_addresses")
    .where("interface_id", "=", interfaceId)
    .where("address_number", "=", (e) =>
      e
        .selectFrom("free_addresses")
        .select("address_number")
        .where("interface_id", "=", interfaceId)
        .where("address_number", ">=", first)
        .where("address_number", "<=", last)
        // Whatever is listed as free: no address is assigned twice.
        .where(({ not, exists }) => not(exists(holding(db, "configs"))))
        .where(({ not, exists }) => not(exists(holding(db, "unknown_peers"))))
        .orderBy("address_number")
        .limit(1),
    )
    .returning("address_number"),
);
/** Who has an address that is listed as free. */
const holding = (db: Db | Tx, table: "configs" | "unknown_peers") =>
  tables(db)
    .selectFrom(table)
    .select("id")
    .where("interface_id", "=", sql<string>`free_addresses.interface_id`)
    .where("address_number", "=", sql<number>`free_addresses.address_number`);

/** Takes the addresses (as numbers) of devices that the database did not know, before their rows are written. */
export async function takeGiven(
  tx: Tx,
  interfaceId: string,
  { first }: Pick<Hosts, "first">,
  taken: readonly number[],
): Promise<void> {
  for (const some of chunks(taken))
    await tables(tx)
      .deleteFrom("free_addresses")
      .where("interface_id", "=", interfaceId)
      .where("address_number", "in", some)
      .execute();
  const known = await highestNumber(tx, interfaceId);
  await noteGaps(tx, interfaceId, { first: known === null ? first : known + 1 }, taken);
}

/** Returns the addresses that no config has. */
export async function giveBack(
  tx: Tx,
  rows: readonly { interface_id: string; address_number: number }[],
): Promise<void> {
  for (const { interface_id, address_number } of rows) {
    const other = await tables(tx)
      .selectFrom("configs")
      .select("id")
      .where("interface_id", "=", interface_id)
      .where("address_number", "=", address_number)
      .executeTakeFirst();
    if (other === undefined)
      await tables(tx)
        .insertInto("free_addresses")
        .values({ interface_id, address_number })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }
}

/** `taken`: host addresses as numbers, added at once where all were free from `first` on: those between them still are. */
export async function noteGaps(
  tx: Tx,
  interfaceId: string,
  { first }: Pick<Hosts, "first">,
  taken: readonly number[],
): Promise<void> {
  const used = new Set(taken);
  const highest = Math.max(...taken);
  if (highest < first) return;
  const free = Array.from({ length: highest - first }, (_, index) => first + index).filter((at) => !used.has(at));
  for (const some of chunks(free))
    await tables(tx)
      .insertInto("free_addresses")
      .values(some.map((address_number) => ({ interface_id: interfaceId, address_number })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** How many addresses of an interface are free once `taken` is; above `most`, only that there are more. */
export async function countFree(
  tx: Tx,
  interfaceId: string,
  { first, last }: Hosts,
  { taken, most }: { taken: TakenAddress; most: number },
): Promise<number> {
  const highest = taken.isHighest ? taken.number : ((await highestNumber(tx, interfaceId)) ?? first - 1);
  const above = last - highest;
  if (above > most) return above;
  const below = await tables(tx)
    .selectFrom("free_addresses")
    .select("address_number")
    .where("interface_id", "=", interfaceId)
    .where("address_number", ">=", first)
    .where("address_number", "<=", highest)
    .limit(most + 1)
    .execute();
  return above + below.length;
}

/** If no device has an address, all are free, whatever the subnet. */
export async function forgetFreeWhereEmpty(tx: Tx, interfaceId: string): Promise<void> {
  const used = await configNumbers(tx, interfaceId).execute();
  if (used.some(({ number }) => number !== null)) return;
  await tables(tx).deleteFrom("free_addresses").where("interface_id", "=", interfaceId).execute();
}

/** Excludes places that a moving device may still use. */
const isLeft = sql<boolean>`(place_of is null or moves_until is null)`;

/** A literal and not a parameter: only then is the partial index of rows with an address used. */
export const HAS_ADDRESS = sql<boolean>`address <> ''`;

/** Deleted, and dropped by its server: a new config may get its address. */
const isHeldOnly = sql<boolean>`deleted_at is not null and ${HAS_ADDRESS} and on_wire = 0 and ${isLeft}`;

/**
 * How many addresses no new config can have, by interface: all up to the highest, except the free ones and those held only for
 * deleted configs. It reads few rows, however many devices there are.
 */
export async function load(
  db: Db | Tx,
  places: readonly { interface: { id: string; subnet: string } }[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks(places)) {
    const wanted = sql.join(some.map((place) => sql`(${place.interface.id})`));
    const { rows } = await sql<{ id: string; highest: number | null; peer: number | null; held: number }>`
      select id,
        (select max(address_number) from configs where interface_id = wanted.id and address_number is not null) as highest,
        (select max(address_number) from unknown_peers where interface_id = wanted.id) as peer,
        (select count(*) from configs where interface_id = wanted.id and ${isHeldOnly}) as held
      from (select column1 as id from (values ${wanted}) as listed) as wanted`.execute(db);
    for (const { id, highest, peer, held } of rows) {
      const top = Math.max(Number(highest ?? 0), Number(peer ?? 0));
      const subnet = some.find((place) => place.interface.id === id)?.interface.subnet ?? "";
      const { first } = hostNumbersOf(subnet);
      if (top < first) continue;
      const free = await tables(db)
        .selectFrom("free_addresses")
        .select((e) => e.fn.countAll<number>().as("count"))
        .where("interface_id", "=", id)
        .where("address_number", ">=", first)
        .where("address_number", "<=", top)
        .executeTakeFirstOrThrow();
      found.set(id, top - first + 1 - Number(free.count) - Number(held));
    }
  }
  return found;
}

/**
 * Deleted configs that can no longer be restored but still have keys and an address. One that its server has not dropped yet
 * keeps its key, so that its last bytes are still counted. Locked: one that is just being restored is not among them.
 */
export const lockPast = (tx: Tx, deletedBefore: number, limit: number): Promise<ConfigRow[]> =>
  tables(tx)
    .selectFrom("configs")
    .selectAll()
    .where("deleted_at", "<", deletedBefore)
    .where(HAS_ADDRESS)
    .where("on_wire", "=", 0)
    .where(isLeft)
    // Sorted after the search: along the index of ids SQLite would read every config there ever was.
    .orderBy(sql`id || ''`)
    .limit(limit)
    .$call(lockRows(tx))
    .execute();

/**
 * The deleted config whose address is reassigned first: those that can no longer be restored before the rest, then the oldest
 * deletion. Never one whose peer may still be on the wire, or one that is just being restored.
 */
export const lockLongestDeleted = (tx: Tx, interfaceId: string): Promise<ConfigRow | undefined> =>
  tables(tx)
    .selectFrom("configs")
    .selectAll()
    .where("interface_id", "=", interfaceId)
    .where("deleted_at", "is not", null)
    .where(HAS_ADDRESS)
    .where("on_wire", "=", 0)
    .where(isLeft)
    .orderBy((e) => e("deleted_by", "is", null))
    .orderBy("deleted_at")
    .orderBy("id")
    .limit(1)
    .$call(lockFreeRows(tx))
    .executeTakeFirst();

/** The config with this address, also a deleted one. */
export const lockAt = (tx: Tx, interfaceId: string, address: string): Promise<ConfigRow | undefined> =>
  tables(tx)
    .selectFrom("configs")
    .selectAll()
    .where("interface_id", "=", interfaceId)
    .where("address", "=", address)
    .$call(lockRows(tx))
    .executeTakeFirst();

/** Destroys keys and returns the addresses; the rows stay for their traffic history and to answer a second deletion with 204. */
export async function purge(tx: Tx, ids: readonly string[], deletedAt: number): Promise<void> {
  for (const some of chunks(ids)) {
    await tables(tx)
      .insertInto("free_addresses")
      .columns(["interface_id", "address_number"])
      .expression((e) =>
        e
          .selectFrom("configs")
          .select(["interface_id", "address_number"])
          .where("id", "in", some)
          .where("address_number", "is not", null)
          // An unknown peer may have it.
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom("unknown_peers")
                  .select("unknown_peers.id")
                  .whereRef("unknown_peers.interface_id", "=", "configs.interface_id")
                  .whereRef("unknown_peers.address_number", "=", "configs.address_number"),
              ),
            ),
          ),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tables(tx)
      .updateTable("configs")
      .set((e) => ({
        address: "",
        address_v6: null,
        public_key: sql<string>`'deleted:' || ${e.ref("id")}`,
        sealed_private_key: null,
        sealed_preshared_key: "",
        peer_key: null,
        moves_until: null,
        on_wire: 0,
        idempotency_key: null,
        idempotency_body: null,
        key_request: null,
        deleted_at: e.fn.coalesce("deleted_at", e.val(deletedAt)),
      }))
      .where("id", "in", some)
      .execute();
    await tables(tx)
      .insertInto("config_services_past")
      .columns(["config_id", "service_id"])
      .expression((e) =>
        e.selectFrom("config_services").select(["config_id", "service_id"]).where("config_id", "in", some),
      )
      .execute();
    await tables(tx).deleteFrom("config_services").where("config_id", "in", some).execute();
  }
}
