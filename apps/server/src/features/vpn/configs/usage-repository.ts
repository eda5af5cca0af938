import { ACTIVE_WITHIN_MS } from "@krug/domain/handshake";
import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { REACH_EXPECTED_MS } from "@krug/domain/reach";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Members } from "../../members/members/index.ts";
import type { InterfaceUse } from "../interfaces/index.ts";
import type { Traffic } from "../traffic/index.ts";
import type { ConfigTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<ConfigTables>();

export async function countWithService(db: Db | Tx, serviceId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom("config_services")
    .innerJoin("configs", "configs.id", "config_services.config_id")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("service_id", "=", serviceId)
    .where("configs.address", "<>", "")
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function countWithDns(db: Db | Tx, dnsId: string): Promise<number> {
  const row = await tables(db)
    .selectFrom("configs")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("dns_id", "=", dnsId)
    .where("address", "<>", "")
    .where("place_of", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Members whose configs alone are counted; null: everyone's. */
type Among = ReturnType<Members["vipIds"]> | null;

/** By interface id; one with none is absent. */
export async function usesOfInterfaces(db: Db | Tx, among: Among): Promise<Map<string, InterfaceUse>> {
  const rows = await tables(db)
    .selectFrom("configs")
    .select((e) => [
      "interface_id",
      e.fn.countAll<number>().as("configs"),
      e.fn.sum<number>("on_wire").as("on_wire"),
      e.fn.count<number>("delivered_at").as("delivered"),
    ])
    .where("deleted_at", "is", null)
    .$if(among !== null, (query) => query.where("member_id", "in", among as NonNullable<Among>))
    .groupBy("interface_id")
    .execute();
  const uses = new Map<string, InterfaceUse>(
    rows.map((row) => [
      row.interface_id,
      { configs: Number(row.configs), onWire: Number(row.on_wire), delivered: Number(row.delivered), leaving: 0 },
    ]),
  );
  for (const { interface_id, count } of await tables(db)
    .selectFrom("configs")
    // Not grouped by the column: SQLite would go along its index, and look at every config there ever was.
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

/**
 * By interface id; one without such devices is absent. `counters`: what joins to configs as `counter`. SQLite does a `cross
 * join` in the order written: it begins with the devices seen lately, which may be few of all.
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

/** Whether a device of this interface other than this one is connected. `counters`: as for `reachOf`. */
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

/** By service id; also a config counts that was just deleted and can be brought back. */
export async function usesOfServices(db: Db | Tx, among: Among): Promise<Map<string, { configs: number }>> {
  const rows = await tables(db)
    .selectFrom("config_services")
    .select((e) => ["service_id", e.fn.countAll<number>().as("configs")])
    .$if(among !== null, (query) =>
      query.where("config_id", "in", (e) =>
        e
          .selectFrom("configs")
          .select("id")
          .where("member_id", "in", among as NonNullable<Among>),
      ),
    )
    .groupBy("service_id")
    .execute();
  return new Map(rows.map((row) => [row.service_id, { configs: Number(row.configs) }]));
}

/** By the DNS entry's id. */
export async function usesOfDns(db: Db | Tx, among: Among): Promise<Map<string, { configs: number }>> {
  const rows = await tables(db)
    .selectFrom("configs")
    .select((e) => ["dns_id", e.fn.countAll<number>().as("configs")])
    .where("deleted_at", "is", null)
    .$if(among !== null, (query) => query.where("member_id", "in", among as NonNullable<Among>))
    .groupBy("dns_id")
    .execute();
  return new Map(rows.map((row) => [row.dns_id, { configs: Number(row.configs) }]));
}

/** How many downloaded files contain this service or DNS entry. */
export async function countToDownload(db: Db, of: { serviceId: string } | { dnsId: string }): Promise<number> {
  const row = await tables(db)
    .selectFrom("configs")
    .select((e) => e.fn.countAll<number>().as("configs"))
    .where("deleted_at", "is", null)
    .where("delivered_at", "is not", null)
    .where((e) =>
      "dnsId" in of
        ? e("dns_id", "=", of.dnsId)
        : e("id", "in", e.selectFrom("config_services").select("config_id").where("service_id", "=", of.serviceId)),
    )
    .executeTakeFirstOrThrow();
  return Number(row.configs);
}

/** How many phone configs with this service hold more than `limit` addresses, each service having so many. */
export async function countPhonesOver(
  db: Db,
  serviceId: string,
  sizes: ReadonlyMap<string, number>,
  limit: number,
): Promise<number> {
  const weights = [...sizes].map(([id, size]) => sql`when ${id} then cast(${size} as integer)`);
  if (weights.length === 0) return 0;
  const addresses = sql<number>`sum(case service_id ${sql.join(weights, sql` `)} else 0 end)`;
  const row = await tables(db)
    .selectFrom((e) =>
      e
        .selectFrom("config_services")
        .select("config_id")
        .where("config_id", "in", (holders) =>
          holders
            .selectFrom("config_services as held")
            .innerJoin("configs", "configs.id", "held.config_id")
            .select("held.config_id")
            .where("held.service_id", "=", serviceId)
            .where("configs.device_type", "=", "phone")
            .where("configs.deleted_at", "is", null),
        )
        .groupBy("config_id")
        .having(addresses, ">", limit)
        .as("over"),
    )
    .select((e) => e.fn.countAll<number>().as("configs"))
    .executeTakeFirstOrThrow();
  return Number(row.configs);
}
