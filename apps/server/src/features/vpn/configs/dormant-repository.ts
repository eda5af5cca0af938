import { DORMANT_NOTICE_DAYS } from "@krug/domain/dormancy";
import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { type RawBuilder, sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Traffic } from "../traffic/index.ts";
import type { ConfigRow, ConfigTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** Joins to configs as `counter`. */
type Counters = ReturnType<Traffic["counters"]>;

/** Handshakes, bytes, a downloaded file, a new key: whatever server's clock errs, one of them shows that somebody uses the device. */
const MARK = sql<string>`(counter.seen_at || ' ' || counter.total || ' ' || coalesce(delivered_at, 0) || ' ' || public_key)`;
/** On the wire and staying there: the only devices that could have connected. */
const COULD_CONNECT = sql<boolean>`(configs.on_wire = 1 and configs.deleted_at is null and configs.dormant_since is null
  and configs.place_of is null and configs.moves_until is null)`;

/** The config of a row; looked up by each row, as configs are many more. */
const itsConfig = (is: RawBuilder<boolean>) =>
  sql<boolean>`exists (select 1 from configs where configs.id = unseen_devices.config_id and ${is})`;
const IS_OFF = sql<boolean>`(configs.dormant_since is not null and configs.deleted_at is null)`;

/** Forgets the days of devices that were used or have left the wire; those that are off for it keep theirs. */
export const forgetUsed = (tx: Tx, counters: Counters) =>
  sql`delete from unseen_devices where not exists (
    select 1 from configs join (${counters}) as counter on counter.config_id = configs.id
    where configs.id = unseen_devices.config_id and ${COULD_CONNECT} and ${MARK} = unseen_devices.mark
  ) and not ${itsConfig(IS_OFF)}`.execute(tx);

/** The same for all that are not off, once the club no longer switches any off. */
export const forgetAll = (tx: Tx) => sql`delete from unseen_devices where not ${itsConfig(IS_OFF)}`.execute(tx);

/** Counts the day for every device that is off, and for those of these interfaces that stay away. */
export async function countDay(tx: Tx, today: string, interfaceIds: readonly string[]): Promise<void> {
  const isThere = sql<boolean>`(${COULD_CONNECT} and configs.interface_id in (${sql.join(interfaceIds)}))`;
  const counts = interfaceIds.length === 0 ? IS_OFF : sql<boolean>`(${IS_OFF} or ${isThere})`;
  await sql`update unseen_devices set days = days + 1, day = ${today} where day <> ${today} and ${itsConfig(counts)}`.execute(
    tx,
  );
}

/** Begins to count for an interface's devices that have stayed away since `aDayAgo`, ms, or longer. */
export const beginWithMissing = (
  tx: Tx,
  counters: Counters,
  { interfaceId, today, aDayAgo, now }: { interfaceId: string; today: string; aDayAgo: number; now: number },
) =>
  sql`insert into unseen_devices (config_id, mark, days, day, told_days)
    select configs.id, ${MARK}, 0, ${today}, null
    from configs join (${counters}) as counter on counter.config_id = configs.id
    where interface_id = ${interfaceId} and ${COULD_CONNECT} and created_at <= ${aDayAgo}
      and (seen_at < ${aDayAgo} or seen_at > ${now + HONEST_SKEW_MS})
    on conflict do nothing`.execute(tx);

export type MissingDevice = Pick<ConfigRow, "id" | "member_id" | "name" | "created_at"> & {
  days: number;
  toldAt: number | null;
};

const missing = (db: Db | Tx) =>
  tables(db)
    .selectFrom("unseen_devices")
    .innerJoin("configs", "configs.id", "unseen_devices.config_id")
    .select(["configs.id", "member_id", "name", "created_at", "days", "told_days as toldAt"])
    .where("dormant_since", "is", null)
    .where("deleted_at", "is", null);

/** Those that have been missing for so many days, the longest first: with a whole notice, or without any. */
export const missingFor = (db: Db | Tx, days: number, limit: number, isTold: boolean): Promise<MissingDevice[]> =>
  missing(db)
    .where("days", ">=", days)
    .where(isTold ? sql<boolean>`days >= told_days + ${DORMANT_NOTICE_DAYS}` : sql<boolean>`told_days is null`)
    .orderBy("days", "desc")
    .orderBy("configs.id")
    .limit(limit)
    .execute();

export const missingOf = (db: Db | Tx, memberIds: readonly string[]): Promise<MissingDevice[]> =>
  inChunks(memberIds, (some) => missing(db).where("member_id", "in", some));

/** Those among these configs whose owners were notified. */
export const toldAmong = (db: Db | Tx, ids: readonly string[]) =>
  tables(db)
    .selectFrom("unseen_devices")
    .select(["config_id", "days", "day", "told_days as toldAt"])
    .where("config_id", "in", [...ids])
    .where("told_days", "is not", null)
    .execute();

export async function noteTold(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids))
    await tables(tx)
      .updateTable("unseen_devices")
      .set((e) => ({ told_days: e.ref("days") }))
      .where("config_id", "in", some)
      .execute();
}

/** Notices to devices that are missing for fewer days are void. */
export const forgetTold = (tx: Tx, days: number) =>
  tables(tx)
    .updateTable("unseen_devices")
    .set({ told_days: null })
    .where("told_days", "is not", null)
    .where("days", "<", days)
    .execute();

/** Begins to count the days for which these are off. */
export async function countFromNow(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids))
    await tables(tx)
      .updateTable("unseen_devices")
      .set({ days: 0, told_days: null })
      .where("config_id", "in", some)
      .execute();
}

/** The same for devices of which nothing was counted: `today` does not count. */
export async function countOff(tx: Tx, ids: readonly string[], today: string): Promise<void> {
  const from = { days: 0, told_days: null };
  for (const some of chunks(ids))
    await tables(tx)
      .insertInto("unseen_devices")
      .values(some.map((config_id) => ({ config_id, mark: "", day: today, ...from })))
      .onConflict((row) => row.column("config_id").doUpdateSet(from))
      .execute();
}

/** One device, and the place that it leaves. */
export const wake = (tx: Tx, id: string): Promise<ConfigRow[]> =>
  tables(tx)
    .updateTable("configs")
    .set({ dormant_since: null, has_ended: 0 })
    .where((row) => row.or([row("id", "=", id), row("place_of", "=", id)]))
    .returningAll()
    .execute();

export async function forget(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const some of chunks(ids))
    await tables(tx).deleteFrom("unseen_devices").where("config_id", "in", some).execute();
}

/** Devices that have been off for so many days, and since before `before`, ms. */
export async function offFor(
  db: Db | Tx,
  { days, before, limit }: { days: number; before: number; limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("unseen_devices")
    .innerJoin("configs", "configs.id", "unseen_devices.config_id")
    .select("configs.id")
    .where("dormant_since", "<=", before)
    .where("deleted_at", "is", null)
    .where("days", ">=", days)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
