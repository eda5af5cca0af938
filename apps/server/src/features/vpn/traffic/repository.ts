import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockRows, type Tx } from "../../../platform/database/database.ts";
import { preparedForList, preparedForRow } from "../../../platform/database/prepared.ts";
import type { CounterRow, TrafficTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<TrafficTables>();

type Totals = Pick<CounterRow, "config_id" | "total_rx" | "total_tx" | "last_handshake_at">;

export async function totalsOf(db: Db | Tx, configIds: readonly string[]): Promise<Map<string, Totals>> {
  const found = new Map<string, Totals>();
  for (const ids of chunks(configIds)) for (const row of await someTotals(db, ids)) found.set(row.config_id, row);
  return found;
}
const someTotals = preparedForList((db, configIds) =>
  tables(db)
    .selectFrom("traffic_counters")
    .select(["config_id", "total_rx", "total_tx", "last_handshake_at"])
    .where("config_id", "in", configIds),
);

/** Counters, to join to a list of configs; each ordering is written exactly as its index (0081_config_list.sql). */
export const counters = (db: Db | Tx) =>
  tables(db)
    .selectFrom("traffic_counters")
    .select("config_id")
    .select(sql<number>`coalesce(last_handshake_at, 0)`.as("seen_at"))
    .select(sql<number>`total_rx + total_tx`.as("total"));

/** Usage of these configs since a day, config by config and the oldest day first. */
export const daysSince = (
  db: Db | Tx,
  configIds: readonly string[],
  from: string,
): Promise<TrafficTables["traffic_daily"][]> =>
  inChunks(configIds, (ids) =>
    tables(db)
      .selectFrom("traffic_daily")
      .selectAll()
      .where("config_id", "in", ids)
      .where("day", ">=", from)
      .orderBy("config_id")
      .orderBy("day"),
  );

interface UseOfConfig {
  bytes: number;
  recentBytes: number;
  lastHandshakeAt: number;
}

/** By config: bytes since a day and since a later one, both directions together, and the last handshake, ms. */
export async function useSince(
  db: Db | Tx,
  configIds: readonly string[],
  from: string,
  recent: string,
): Promise<Map<string, UseOfConfig>> {
  const found = new Map<string, UseOfConfig>();
  for (const [id, row] of await totalsOf(db, configIds))
    found.set(id, { bytes: 0, recentBytes: 0, lastHandshakeAt: row.last_handshake_at ?? 0 });
  for (const ids of chunks(configIds))
    for (const row of await tables(db)
      .selectFrom("traffic_daily")
      .select("config_id")
      .select(sql<number>`sum(rx + tx)`.as("bytes"))
      .select(sql<number>`sum(case when day >= ${recent} then rx + tx else 0 end)`.as("recent_bytes"))
      .where("config_id", "in", ids)
      .where("day", ">=", from)
      .groupBy("config_id")
      .execute())
      found.set(row.config_id, {
        bytes: Number(row.bytes),
        recentBytes: Number(row.recent_bytes),
        lastHandshakeAt: found.get(row.config_id)?.lastHandshakeAt ?? 0,
      });
  return found;
}

/** The newest days on which these configs were used, at most `limit` of them; the oldest of those first. */
export async function latestDays(
  db: Db,
  configIds: readonly string[],
  limit: number,
): Promise<TrafficTables["traffic_daily"][]> {
  const rows: TrafficTables["traffic_daily"][] = [];
  for (const ids of chunks(configIds))
    rows.push(
      ...(await tables(db)
        .selectFrom("traffic_daily")
        .selectAll()
        .where("config_id", "in", ids)
        .orderBy("day", "desc")
        .limit(limit - rows.length)
        .execute()),
    );
  return rows.reverse();
}

/** Usage of one config in the hours that begin at `from` (ms) or later. */
export const hoursFrom = (db: Db, configId: string, from: number): Promise<TrafficTables["traffic_hourly"][]> =>
  tables(db)
    .selectFrom("traffic_hourly")
    .selectAll()
    .where("config_id", "=", configId)
    .where("hour", ">=", from)
    .execute();

/** Not locked. */
export async function countersOf(db: Db, configIds: readonly string[]): Promise<Map<string, CounterRow>> {
  const found = new Map<string, CounterRow>();
  for (const ids of chunks(configIds)) for (const row of await someCounters(db, ids)) found.set(row.config_id, row);
  return found;
}
const someCounters = preparedForList((db, configIds) =>
  tables(db).selectFrom("traffic_counters").selectAll().where("config_id", "in", configIds),
);

/** In the order of the ids, so that two panels that update the same rows do not deadlock. */
export async function lockCounters(tx: Tx, configIds: readonly string[]): Promise<Map<string, CounterRow>> {
  const found = new Map<string, CounterRow>();
  for (const ids of chunks([...configIds].sort())) {
    const query = tables(tx)
      .selectFrom("traffic_counters")
      .selectAll()
      .where("config_id", "in", ids)
      .orderBy("config_id");
    for (const row of await query.$call(lockRows(tx)).execute()) found.set(row.config_id, row);
  }
  return found;
}

export const insertCounters = preparedForRow<CounterRow>((tx, row) =>
  tables(tx).insertInto("traffic_counters").values(row),
);

export async function saveCounters(tx: Tx, rows: readonly CounterRow[]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("traffic_counters")
      .values(some)
      .onConflict((conflict) =>
        conflict.column("config_id").doUpdateSet((e) => ({
          public_key: e.ref("excluded.public_key"),
          raw_rx: e.ref("excluded.raw_rx"),
          raw_tx: e.ref("excluded.raw_tx"),
          total_rx: e.ref("excluded.total_rx"),
          total_tx: e.ref("excluded.total_tx"),
          last_handshake_at: e.ref("excluded.last_handshake_at"),
          used_hour: e.ref("excluded.used_hour"),
          used_day: e.ref("excluded.used_day"),
          interface_id: e.ref("excluded.interface_id"),
          life: e.ref("excluded.life"),
        })),
      )
      .execute();
}

export async function addToHours(tx: Tx, rows: readonly TrafficTables["traffic_hourly"][]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("traffic_hourly")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["config_id", "hour"]).doUpdateSet({
          rx: sql`traffic_hourly.rx + excluded.rx`,
          tx: sql`traffic_hourly.tx + excluded.tx`,
        }),
      )
      .execute();
}

export async function addToDays(tx: Tx, rows: readonly TrafficTables["traffic_daily"][]): Promise<void> {
  for (const some of chunks(rows))
    await tables(tx)
      .insertInto("traffic_daily")
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(["config_id", "day"]).doUpdateSet({
          rx: sql`traffic_daily.rx + excluded.rx`,
          tx: sql`traffic_daily.tx + excluded.tx`,
        }),
      )
      .execute();
}

/** Adds to the sum of all devices in an hour or a day. */
export async function addToClub(
  tx: Tx,
  when: { hour: number } | { day: string },
  used: { rx: number; tx: number },
): Promise<void> {
  if ("hour" in when)
    await tables(tx)
      .insertInto("traffic_club_hourly")
      .values({ ...when, ...used })
      .onConflict((conflict) =>
        conflict.column("hour").doUpdateSet({
          rx: sql`traffic_club_hourly.rx + excluded.rx`,
          tx: sql`traffic_club_hourly.tx + excluded.tx`,
        }),
      )
      .execute();
  else
    await tables(tx)
      .insertInto("traffic_club_daily")
      .values({ ...when, ...used })
      .onConflict((conflict) =>
        conflict.column("day").doUpdateSet({
          rx: sql`traffic_club_daily.rx + excluded.rx`,
          tx: sql`traffic_club_daily.tx + excluded.tx`,
        }),
      )
      .execute();
}

export async function forgetBefore(tx: Tx, hour: number, day: string): Promise<void> {
  await tables(tx).deleteFrom("traffic_hourly").where("hour", "<", hour).execute();
  await tables(tx).deleteFrom("traffic_club_hourly").where("hour", "<", hour).execute();
  await tables(tx).deleteFrom("traffic_daily").where("day", "<", day).execute();
  await tables(tx).deleteFrom("traffic_club_daily").where("day", "<", day).execute();
}
