import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockPlace, lockPlaces, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared, preparedForList, preparedForRow } from "../../../platform/database/prepared.ts";
import { whileUnchanged } from "../../../platform/database/while-unchanged.ts";
import { type ConfigRow, type ConfigTables, SHOWN, type ShownConfig } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** A place that a device leaves, while it may still use it. */
export const IS_KEPT_PLACE = sql<boolean>`(place_of is not null and moves_until is not null)`;
/** Neither blocked by staff nor switched off because it was not seen. */
export const IS_ON = sql<boolean>`(configs.is_blocked = 0 and configs.dormant_since is null)`;
/** A member's configs, the oldest first; limited, because an unlimited member may have many. */
export const ofMember = (db: Db | Tx, memberId: string, limit = 1_000): Promise<readonly ShownConfig[]> =>
  ofMemberKept(db, `${limit} ${memberId}`);
const ofMemberKept = whileUnchanged((db, key) => {
  const [limit, memberId = ""] = key.split(" ");
  return ofMemberPrepared(db, { memberId, limit: Number(limit) });
});
const ofMemberPrepared = prepared((db, { memberId, limit }: { memberId: string; limit: number }) =>
  tables(db)
    .selectFrom("configs")
    .select(SHOWN)
    .where("member_id", "=", memberId)
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit),
);

/** All configs a member ever had, deleted ones too, the newest first. */
export const everOf = (db: Db, memberId: string, limit: number) =>
  tables(db)
    .selectFrom("configs")
    .select([...SHOWN, "address", "address_v6", "public_key"])
    .where("member_id", "=", memberId)
    .where("place_of", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();

/** How many a member has, counting to `most` only. */
export const countOf = async (db: Db | Tx, memberId: string, most: number): Promise<number> => {
  return (await someOf(db, { memberId, most })).length;
};
const someOf = prepared((db, { memberId, most }: { memberId: string; most: number }) =>
  tables(db)
    .selectFrom("configs")
    .select("id")
    .where("member_id", "=", memberId)
    .where("deleted_at", "is", null)
    .limit(most),
);

/** Also a deleted one: its owner may repeat the deletion. */
export const findOwn = async (db: Db | Tx, id: string, memberId: string): Promise<ConfigRow | undefined> =>
  (await own(db, { id, memberId }))[0];
const own = prepared((db, { id, memberId }: { id: string; memberId: string }) =>
  tables(db)
    .selectFrom("configs")
    .selectAll()
    .where("id", "=", id)
    .where("member_id", "=", memberId)
    .where("place_of", "is", null),
);

/** Anyone's, deleted ones too. */
export const lockAny = (tx: Tx, id: string): Promise<ConfigRow | undefined> =>
  tables(tx)
    .selectFrom("configs")
    .selectAll()
    .where("id", "=", id)
    .where("place_of", "is", null)
    .$call(lockRows(tx))
    .executeTakeFirst();

/** In one order, so that two who delete the same configs cannot deadlock. */
export async function lockMany(tx: Tx, ids: readonly string[]): Promise<ConfigRow[]> {
  const rows: ConfigRow[] = [];
  for (const some of chunks([...new Set(ids)].sort())) {
    const query = tables(tx)
      .selectFrom("configs")
      .selectAll()
      .where("id", "in", some)
      .where("place_of", "is", null)
      .orderBy("id");
    rows.push(...(await query.$call(lockRows(tx)).execute()));
  }
  return rows;
}

export const byIdempotencyKey = (tx: Tx, memberId: string, key: string): Promise<ConfigRow | undefined> =>
  tables(tx)
    .selectFrom("configs")
    .selectAll()
    .where("member_id", "=", memberId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();

export async function isNameTaken(tx: Tx, memberId: string, name: string): Promise<boolean> {
  return (await named(tx, { memberId, nameKey: name.toLowerCase() })).length > 0;
}
const named = prepared((db, { memberId, nameKey }: { memberId: string; nameKey: string }) =>
  tables(db)
    .selectFrom("configs")
    .select("id")
    .where("member_id", "=", memberId)
    .where("name_key", "=", nameKey)
    .where("deleted_at", "is", null),
);

/** The name keys of these members' configs. */
export async function nameKeysOf(tx: Tx, memberIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const some of chunks(memberIds)) {
    const rows = await tables(tx)
      .selectFrom("configs")
      .select(["member_id", "name_key"])
      .where("member_id", "in", some)
      .where("deleted_at", "is", null)
      .execute();
    for (const { member_id, name_key } of rows) found.set(member_id, (found.get(member_id) ?? new Set()).add(name_key));
  }
  return found;
}

/** Locks the answer until the transaction ends: of two who bring one key at once the second checks after the first. */
export async function isKeyTaken(tx: Tx, publicKey: string): Promise<boolean> {
  await lockPlace(tx, `config-key:${publicKey}`);
  const row = await tables(tx)
    .selectFrom("configs")
    .select("id")
    .where((e) =>
      e.or([e("public_key", "=", publicKey), e("leaving_key", "=", publicKey), e("peer_key", "=", publicKey)]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** The same for many: those of these keys that some config has. */
export async function lockKeys(tx: Tx, publicKeys: readonly string[]): Promise<Set<string>> {
  await lockPlaces(
    tx,
    publicKeys.map((key) => `config-key:${key}`),
  );
  return keysTaken(tx, publicKeys);
}

/** The deleted configs' keys are another program's again, and may come back by an import. */
export async function releaseKeys(tx: Tx, interfaceId: string): Promise<void> {
  await tables(tx)
    .updateTable("configs")
    .set({ public_key: sql<string>`'given back ' || id`, peer_key: null, leaving_key: null })
    .where("interface_id", "=", interfaceId)
    .where("deleted_at", "is not", null)
    .execute();
}

/** Those of these keys that some config has. */
export async function keysTaken(db: Db | Tx, publicKeys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const column of ["public_key", "leaving_key", "peer_key"] as const)
    for (const { key } of await inChunks(publicKeys, (some) =>
      tables(db)
        .selectFrom("configs")
        .select(sql<string>`${sql.ref(column)}`.as("key"))
        .where(column, "in", some),
    ))
      found.add(key);
  return found;
}

/** Service ids by config, in the order they were chosen. */
export async function servicesOf(db: Db | Tx, configIds: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const ids of chunks(configIds))
    for (const row of await someServices(db, ids))
      found.set(row.config_id, [...(found.get(row.config_id) ?? []), row.service_id]);
  return found;
}
const someServices = preparedForList((db, configIds) =>
  tables(db)
    .selectFrom("config_services")
    .select(["config_id", "service_id"])
    .where("config_id", "in", configIds)
    .orderBy("config_id")
    .orderBy("position"),
);

export async function insert(tx: Tx, row: ConfigRow, serviceIds: readonly string[]): Promise<void> {
  await insertRow(tx, row);
  await insertServices(tx, row.id, serviceIds);
}

const insertRow = preparedForRow<ConfigRow>((tx, row) => tables(tx).insertInto("configs").values(row));

/** Configs without services. */
export async function insertAll(tx: Tx, rows: readonly ConfigRow[]): Promise<void> {
  // Each has dozens of columns.
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT)
    await tables(tx)
      .insertInto("configs")
      .values(rows.slice(at, at + ROWS_PER_STATEMENT))
      .execute();
}
const ROWS_PER_STATEMENT = 200;

export async function setServices(tx: Tx, id: string, serviceIds: readonly string[]): Promise<void> {
  await tables(tx).deleteFrom("config_services").where("config_id", "=", id).execute();
  await insertServices(tx, id, serviceIds);
}

async function insertServices(tx: Tx, configId: string, serviceIds: readonly string[]): Promise<void> {
  if (serviceIds.length > 0) await insertServicesOf(tx, [configId, ...serviceIds]);
}
const insertServicesOf = preparedForList((tx, [config_id = "", ...serviceIds]) =>
  tables(tx)
    .insertInto("config_services")
    .values(serviceIds.map((service_id, position) => ({ config_id, service_id, position }))),
);

type Change = Partial<Omit<ConfigRow, "id" | "member_id">>;

export async function updateMany(tx: Tx, ids: readonly string[], change: Change): Promise<void> {
  for (const some of chunks(ids)) await tables(tx).updateTable("configs").set(change).where("id", "in", some).execute();
}
export const update = (tx: Tx, id: string, change: Change): Promise<void> => updateMany(tx, [id], change);

export async function forgetNames(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).updateTable("configs").set({ name: "", name_key: "" }).where("member_id", "=", memberId).execute();
}

export async function setBlocked(tx: Tx, memberIds: readonly string[], blocked: boolean): Promise<void> {
  for (const some of chunks(memberIds))
    await tables(tx)
      .updateTable("configs")
      .set({ is_blocked: blocked ? 1 : 0 })
      .where("member_id", "in", some)
      .execute();
}

/** One config, and the place that its device leaves. */
export const setBlockedWithPlaces = (tx: Tx, id: string, blocked: boolean): Promise<ConfigRow[]> =>
  tables(tx)
    .updateTable("configs")
    .set({ is_blocked: blocked ? 1 : 0 })
    .where((row) => row.or([row("id", "=", id), row("place_of", "=", id)]))
    .returningAll()
    .execute();

const livingOn = (db: Db | Tx, interfaceIds: readonly string[]) =>
  tables(db)
    .selectFrom("configs")
    .where("interface_id", "in", [...interfaceIds])
    .where("deleted_at", "is", null);

/** A member's configs on these interfaces. */
export const onInterfacesOf = (
  tx: Tx,
  memberId: string,
  interfaceIds: readonly string[],
): Promise<{ id: string; interface_id: string }[]> =>
  livingOn(tx, interfaceIds).select(["id", "interface_id"]).where("member_id", "=", memberId).orderBy("id").execute();

/** Members with configs on these interfaces, by id. */
export async function ownersOn(
  tx: Tx,
  interfaceIds: readonly string[],
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const rows = await livingOn(tx, interfaceIds)
    .select("member_id")
    .distinct()
    .where("member_id", ">", after ?? "")
    .orderBy("member_id")
    .limit(limit)
    .execute();
  return rows.map(({ member_id }) => member_id);
}

/** How many configs are on these interfaces, how many of those have their key only in the browser, and of how many members. */
export async function countOn(db: Db | Tx, interfaceIds: readonly string[]) {
  if (interfaceIds.length === 0) return { devices: 0, members: 0, keysInBrowser: 0 };
  const row = await livingOn(db, interfaceIds)
    .select((e) => [
      e.fn.countAll<number>().as("devices"),
      e.fn.count<number>("sealed_private_key").as("keys"),
      e.fn.count<number>("member_id").distinct().as("members"),
    ])
    .executeTakeFirstOrThrow();
  const devices = Number(row.devices);
  return { devices, members: Number(row.members), keysInBrowser: devices - Number(row.keys) };
}

/** Bare tunnel addresses of these members' devices on these interfaces, by member; also those they are leaving. */
export async function addressesOf(
  db: Db | Tx,
  memberIds: readonly string[],
  interfaceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (interfaceIds.length === 0) return found;
  for (const some of chunks(memberIds))
    for (const { member_id, address, address_v6 } of await tables(db)
      .selectFrom("configs")
      .select(["member_id", "address", "address_v6"])
      .where("member_id", "in", some)
      .where("interface_id", "in", [...interfaceIds])
      .where(isOnServers)
      .execute())
      found.set(member_id, [...(found.get(member_id) ?? []), address, ...(address_v6 === null ? [] : [address_v6])]);
  return found;
}

const isOnServers = (e: ExpressionBuilder<ConfigTables, "configs">) =>
  e.or([e("deleted_at", "is", null), IS_KEPT_PLACE]);

/** Live configs and kept places of these members, with what moves them on or off the wire. */
export const ofMembers = (
  db: Db | Tx,
  memberIds: readonly string[],
): Promise<Pick<ConfigRow, "id" | "member_id" | "interface_id">[]> =>
  inChunks(memberIds, (some) =>
    tables(db)
      .selectFrom("configs")
      .select(["id", "member_id", "interface_id"])
      .where("member_id", "in", some)
      .where(isOnServers),
  );

/** These members' configs, deleted ones too. */
export async function ownersOf(
  db: Db | Tx,
  memberIds: readonly string[],
): Promise<{ id: string; member_id: string }[]> {
  const query = owners(db);
  const rows: { id: string; member_id: string }[] = [];
  for (const some of chunks(memberIds)) rows.push(...(await query.where("member_id", "in", some).execute()));
  return rows;
}

/** The owners of these configs, deleted ones too. */
export async function holdersOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await inChunks(ids, (some) =>
    tables(db).selectFrom("configs").select(["id", "member_id"]).where("id", "in", some),
  );
  return new Map(rows.map((row) => [row.id, row.member_id]));
}

/**
 * Keys to sum configs' traffic by, for another feature's `from`: queries that answer `config_id`, `kind` and `key`: each config's
 * interface and kind of device, and each of its services. Deleted configs have theirs too. They are separate because SQLite would
 * read a whole union to join some of it.
 */
export const kinds = (db: Db | Tx) => {
  const configs = tables(db).selectFrom("configs");
  return [
    configs.select(["id as config_id", sql<string>`'interface'`.as("kind"), "interface_id as key"]),
    configs.select(["id as config_id", sql<string>`'device'`.as("kind"), "device_type as key"]),
    services(db, "config_services"),
    services(db, "config_services_past"),
  ];
};
const services = (db: Db | Tx, table: "config_services" | "config_services_past") =>
  tables(db)
    .selectFrom(table)
    .select(["config_id", sql<string>`'service'`.as("kind"), "service_id as key"]);

/** The owner of every config, deleted ones too, for another feature's `from`. */
export const owners = (db: Db | Tx) => tables(db).selectFrom("configs").select(["id", "member_id"]);

/** A query of the ids of these members' configs, deleted ones too, for another feature's `where`. */
export const idsOwnedBy = (db: Db | Tx, memberIds: Expression<{ id: string }>) =>
  tables(db).selectFrom("configs").select("id").where(sql<boolean>`member_id in (${memberIds})`);

/** The same for one member. */
export const idsOfOwner = (db: Db | Tx, memberId: string) =>
  tables(db).selectFrom("configs").select("id").where("member_id", "=", memberId);

/** How many configs each of these members has; absent if none. */
export async function countsOf(db: Db | Tx, memberIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await inChunks(memberIds, (some) =>
    tables(db)
      .selectFrom("configs")
      .select((e) => ["member_id", e.fn.countAll<number>().as("count")])
      .where("member_id", "in", some)
      .where("deleted_at", "is", null)
      .groupBy("member_id"),
  );
  return new Map(rows.map((row) => [row.member_id, Number(row.count)]));
}

/** For another feature's query: how many configs the member has whose id is in this column. */
export const countFor = (memberId: RawBuilder<string>): RawBuilder<number> =>
  sql<number>`(select count(*) from configs where configs.member_id = ${memberId} and configs.deleted_at is null)`;

/** The owners of configs on this interface, each member once. */
export async function holdersOn(db: Db | Tx, interfaceId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("configs")
    .select("member_id")
    .distinct()
    .where("interface_id", "=", interfaceId)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => row.member_id);
}

/** Deletes every config of an interface; returns the owners. */
export async function deleteOn(
  tx: Tx,
  interfaceId: string,
  at: number,
): Promise<Pick<ConfigRow, "id" | "member_id" | "name" | "interface_id" | "device_type">[]> {
  return tables(tx)
    .updateTable("configs")
    .set({ deleted_at: at })
    .where("interface_id", "=", interfaceId)
    .where("deleted_at", "is", null)
    .returning(["id", "member_id", "name", "interface_id", "device_type"])
    .execute();
}

/** Whether the interface never had a config, or a device that a restored backup does not know. */
export async function isUntouched(over: Db | Tx, interfaceId: string): Promise<boolean> {
  const [found] = await tables(over)
    .selectFrom("configs")
    .select("id")
    .where("interface_id", "=", interfaceId)
    .limit(1)
    .execute();
  const [unknown] = await tables(over)
    .selectFrom("unknown_peers")
    .select("interface_id")
    .where("interface_id", "=", interfaceId)
    .limit(1)
    .execute();
  return found === undefined && unknown === undefined;
}

/** Marks downloaded files as outdated; returns the owner of each. */
export async function markStale(
  tx: Tx,
  of:
    | { dnsId: string }
    | { interfaceIds: readonly string[]; having?: { serviceIds: readonly string[]; dnsIds: readonly string[] } },
): Promise<string[]> {
  if ("interfaceIds" in of && of.interfaceIds.length === 0) return [];
  const marked = await tables(tx)
    .updateTable("configs")
    .set({ is_stale: 1 })
    .where("delivered_at", "is not", null)
    .where((e) => {
      if ("dnsId" in of) return e("dns_id", "=", of.dnsId);
      const holders = (ids: readonly string[]) =>
        e(
          "id",
          "in",
          e
            .selectFrom("config_services")
            .select("config_id")
            .where("service_id", "in", [...ids]),
        );
      const on = e("interface_id", "in", [...of.interfaceIds]);
      if (of.having === undefined) return on;
      const { serviceIds, dnsIds } = of.having;
      // PostgreSQL takes no empty list, and an empty `or` is false.
      return e.and([
        on,
        e.or([
          ...(serviceIds.length > 0 ? [holders(serviceIds)] : []),
          ...(dnsIds.length > 0 ? [e("dns_id", "in", [...dnsIds])] : []),
        ]),
      ]);
    })
    .returning("member_id")
    .execute();
  return marked.map((row) => row.member_id);
}
