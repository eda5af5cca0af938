import { ACTIVE_WITHIN_MS } from "@krug/domain/handshake";
import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { REACH_EXPECTED_MS } from "@krug/domain/outage-detection";
import { sql } from "kysely";
import { letOthersIn } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Members } from "../../members/members/index.ts";
import type { InterfaceUse } from "../interfaces/index.ts";
import type { Traffic } from "../traffic/index.ts";
import type { ConfigTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

/** What triggers maintain for each; `held` (of a DNS entry): configs that keep an address. */
type Counted = { configs: number; on_wire: number; delivered: number; held: number };

/** By id; absent if there never were any. Counting rows would take longer with every config there is. */
async function counted(
  db: Db | Tx,
  kind: "interface" | "dns" | "service",
  only?: string,
): Promise<Map<string, Counted>> {
  const rows = await tables(db)
    .selectFrom("config_counts")
    .select((e) => [
      "id",
      e.fn.sum<number>("configs").as("configs"),
      e.fn.sum<number>("on_wire").as("on_wire"),
      e.fn.sum<number>("delivered").as("delivered"),
      e.fn.sum<number>("held").as("held"),
    ])
    .where("kind", "=", kind)
    .$if(only !== undefined, (query) => query.where("id", "=", only as string))
    .groupBy("id")
    .execute();
  return new Map(
    rows.map(({ id, configs, on_wire, delivered, held }) => [
      id,
      { configs: Number(configs), on_wire: Number(on_wire), delivered: Number(delivered), held: Number(held) },
    ]),
  );
}

/** All configs that exist, or those of one interface. */
export async function countLiving(db: Db | Tx, interfaceId?: string): Promise<number> {
  const counts = await counted(db, "interface", interfaceId);
  return [...counts.values()].reduce((sum, { configs }) => sum + configs, 0);
}

export const countWithService = async (db: Db | Tx, id: string): Promise<number> =>
  (await counted(db, "service", id)).get(id)?.configs ?? 0;

export const countWithDns = async (db: Db | Tx, id: string): Promise<number> =>
  (await counted(db, "dns", id)).get(id)?.held ?? 0;

/** The only members whose configs count; null: everyone's. */
type Among = ReturnType<Members["vipIds"]> | null;

/** By interface id; absent if none. */
export async function usesOfInterfaces(db: Db | Tx, among: Among): Promise<Map<string, InterfaceUse>> {
  const found = among === null ? await counted(db, "interface") : await countedAmong(db, among);
  const uses = new Map<string, InterfaceUse>();
  for (const [id, { configs, on_wire, delivered }] of found)
    if (configs > 0) uses.set(id, { configs, onWire: on_wire, delivered, leaving: 0 });
  for (const { interface_id, count } of await tables(db)
    .selectFrom("configs")
    // Not grouped by the column: SQLite would use its index, and read every config there ever was.
    .select((e) => [sql<string>`interface_id || ''`.as("interface_id"), e.fn.countAll<number>().as("count")])
    .where("moves_until", "is not", null)
    .where("place_of", "is not", null)
    .$if(among !== null, (query) => query.where("member_id", "in", among as NonNullable<Among>))
    .groupBy(sql`interface_id || ''`)
    .execute()) {
    const use = uses.get(interface_id) ?? { configs: 0, onWire: 0, delivered: 0, leaving: 0 };
    uses.set(interface_id, { ...use, leaving: Number(count) });
  }
  return uses;
}

async function countedAmong(
  db: Db | Tx,
  among: NonNullable<Among>,
): Promise<Map<string, Pick<Counted, "configs" | "on_wire" | "delivered">>> {
  const rows = await tables(db)
    .selectFrom("configs")
    .select((e) => [
      "interface_id",
      e.fn.countAll<number>().as("configs"),
      e.fn.sum<number>("on_wire").as("on_wire"),
      e.fn.count<number>("delivered_at").as("delivered"),
    ])
    .where("deleted_at", "is", null)
    .where("member_id", "in", among)
    .groupBy("interface_id")
    .execute();
  return new Map(
    rows.map(({ interface_id, configs, on_wire, delivered }) => [
      interface_id,
      { configs: Number(configs), on_wire: Number(on_wire), delivered: Number(delivered) },
    ]),
  );
}

/**
 * By interface id; absent without such devices. `counters`: joins to configs as `counter`. SQLite does a `cross join` in the
 * order written: it starts with the devices seen lately, which may be few.
 */
export async function reachOf(
  db: Db,
  counters: ReturnType<Traffic["counters"]>,
  now: number,
): Promise<Map<string, { expected: number; online: number }>> {
  const { rows } = await sql<{ interface_id: string; expected: number; online: number }>`
    select interface_id, count(*) as expected, sum(case when seen_at >= ${now - ACTIVE_WITHIN_MS} then 1 else 0 end) as online
    from (${counters}) as counter cross join configs
    where configs.id = counter.config_id
      and place_of is null and deleted_at is null and on_wire = 1 and seen_at between ${now - REACH_EXPECTED_MS} and ${now + HONEST_SKEW_MS}
    group by interface_id`.execute(db);
  return new Map(rows.map((row) => [row.interface_id, { expected: Number(row.expected), online: Number(row.online) }]));
}

/** Whether another device of this interface is connected. `counters`: as in `reachOf`. */
export async function othersConnected(
  db: Db,
  counters: ReturnType<Traffic["counters"]>,
  { id, interface_id }: { id: string; interface_id: string },
  now: number,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from configs join (${counters}) as counter on counter.config_id = configs.id
    where interface_id = ${interface_id} and configs.id <> ${id}
      and place_of is null and deleted_at is null and on_wire = 1 and seen_at between ${now - ACTIVE_WITHIN_MS} and ${now + HONEST_SKEW_MS}
    limit 1`.execute(db);
  return rows.length > 0;
}

/** By service id; configs that were just deleted and can be restored count too. */
export async function usesOfServices(db: Db | Tx, among: Among): Promise<Map<string, { configs: number }>> {
  if (among === null) return counted(db, "service");
  const rows = await tables(db)
    .selectFrom("config_services")
    .select((e) => ["service_id", e.fn.countAll<number>().as("configs")])
    .where("config_id", "in", (e) => e.selectFrom("configs").select("id").where("member_id", "in", among))
    .groupBy("service_id")
    .execute();
  return new Map(rows.map((row) => [row.service_id, { configs: Number(row.configs) }]));
}

/** By the DNS entry's id. */
export async function usesOfDns(db: Db | Tx, among: Among): Promise<Map<string, { configs: number }>> {
  if (among === null) return counted(db, "dns");
  const rows = await tables(db)
    .selectFrom("configs")
    .select((e) => ["dns_id", e.fn.countAll<number>().as("configs")])
    .where("deleted_at", "is", null)
    .where("member_id", "in", among)
    .groupBy("dns_id")
    .execute();
  return new Map(rows.map((row) => [row.dns_id, { configs: Number(row.configs) }]));
}

/** How many downloaded files contain this DNS entry. */
export const countToDownload = async (db: Db, dnsId: string): Promise<number> =>
  (await counted(db, "dns", dnsId)).get(dnsId)?.delivered ?? 0;

/** How many are checked before others get their turn. */
const PHONES_AT_ONCE = 2_000;

/** How many phone configs with this service exceed `limit` addresses, given each service's size, except on these interfaces. */
export async function countPhonesOver(
  db: Db,
  {
    serviceId,
    sizes,
    limit,
    exceptOn,
  }: { serviceId: string; sizes: ReadonlyMap<string, number>; limit: number; exceptOn: readonly string[] },
): Promise<number> {
  // Not even a config with all services can.
  if ([...sizes.values()].reduce((sum, size) => sum + size, 0) <= limit) return 0;
  const weights = [...sizes].map(([id, size]) => sql`when ${id} then cast(${size} as integer)`);
  const addresses = sql<number>`sum(case held.service_id ${sql.join(weights, sql` `)} else 0 end)`;
  const isInFiles = exceptOn.length === 0 ? sql`` : sql`and interface_id not in (${sql.join(exceptOn)})`;
  for (let [found, after] = [0, ""]; ; await letOthersIn()) {
    const { rows } = await sql<{ holders: number; last: string | null; over: number }>`
      with holders as (
        select config_id from config_services where service_id = ${serviceId} and config_id > ${after}
          order by config_id limit ${PHONES_AT_ONCE}
      )
      select count(*) as holders, max(config_id) as last, (
        select count(*) from (
          select held.config_id from holders cross join configs cross join config_services as held
          where configs.id = holders.config_id and device_type = 'phone' and deleted_at is null ${isInFiles}
            and held.config_id = holders.config_id
          group by held.config_id having ${addresses} > ${limit}
        ) as heavy
      ) as over from holders`.execute(db);
    const { holders = 0, last = null, over = 0 } = rows[0] ?? {};
    found += Number(over);
    if (Number(holders) < PHONES_AT_ONCE || last === null) return found;
    after = last;
  }
}
