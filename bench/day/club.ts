import { randomBytes, randomUUID } from "node:crypto";
import { generatePresharedKey } from "@krug/wireguard/keys";
import { sql } from "kysely";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { openSealing } from "../../apps/server/src/platform/sealing.ts";
import { sealedColumns } from "../../apps/server/src/sealed.ts";
import type { ServersClub } from "../../lab/servers-club.ts";
import { fillDatabase } from "../../lab/servers-club.ts";
import { signInAll } from "../sign-in.ts";

/* The club of the day in PostgreSQL: one member of each server is written as the lab does, the others are copies of them. */

export const CONFIGS_OF_EACH = 3;
const ROWS_AT_ONCE = 5_000;
const MONTH_MS = 30 * 86_400_000;

export interface DayMember {
  id: string;
  username: string;
  configs: { id: string; publicKey: string; serverId: string; interfaceId: string }[];
}

export interface DayClub {
  members: DayMember[];
  adminId: string;
  adminToken: string;
}

/**
 * Copies one row of a table for every place in `own`, whose columns replace the row's. Triggers and foreign keys work as for any
 * insert, so whatever the database derives is right.
 */
async function copies(database: Database, table: string, id: string, own: Record<string, readonly unknown[]>) {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(database.db);
  const names = Object.keys(own);
  const columns = rows.map(({ name }) => name);
  const values = columns.map((name) => (names.includes(name) ? sql`n.${sql.ref(name)}` : sql`one.${sql.ref(name)}`));
  const count = own[names[0] ?? ""]?.length ?? 0;
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const lists = names.map((name) => {
      const some = own[name]?.slice(from, from + ROWS_AT_ONCE) ?? [];
      return typeof some[0] === "number" ? sql`${some}::bigint[]` : sql`${some}::text[]`;
    });
    await database.transact(async (tx) => {
      await sql`
        insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
        select ${sql.join(values)} from ${sql.table(table)} as one
        cross join unnest(${sql.join(lists)}) as n(${sql.join(names.map((name) => sql.ref(name)))})
        where one.id = ${id}`.execute(tx);
    });
  }
}

/** Fills an empty club: members with three devices each, evenly over the servers. */
export async function fillDay(
  database: Database,
  masterKeyFile: string,
  { places, login, members: count }: Pick<ServersClub, "places" | "login"> & { members: number },
): Promise<DayClub> {
  const now = Date.now();
  const far = now + MONTH_MS;
  await fillDatabase(database, masterKeyFile, {
    places,
    login,
    peersOfEach: CONFIGS_OF_EACH,
    configsOfEachMember: CONFIGS_OF_EACH,
    member: () => ({
      subscription_source: "payment",
      subscription_end: far,
      accepted_rules_at: now,
      config_limit: 20,
    }),
  });
  const { rows: firsts } = await sql<{ interface_id: string; server_id: string; member_id: string; id: string }>`
    select distinct on (interface_id) interface_id, server_id, member_id, configs.id
    from configs join interfaces on interfaces.id = interface_id order by interface_id, configs.id`.execute(
    database.db,
  );
  const first = firsts[0];
  if (first === undefined) throw new Error("the first members are missing");

  const own = {
    member: {
      id: [] as string[],
      username: [] as string[],
      username_key: [] as string[],
      display_name: [] as string[],
    },
    config: {
      id: [] as string[],
      member_id: [] as string[],
      interface_id: [] as string[],
      name: [] as string[],
      name_key: [] as string[],
      address: [] as string[],
      public_key: [] as string[],
      sealed_preshared_key: [] as string[],
    },
  };
  const sealing = await openSealing(database, masterKeyFile, sealedColumns);
  await database.transact(async (tx) => {
    const seal = await sealing.sealer(tx);
    for (let number = firsts.length; number < count; number += 1) {
      const place = firsts[number % firsts.length] ?? first;
      const memberId = randomUUID();
      const username = `day-${number}`;
      own.member.id.push(memberId);
      own.member.username.push(username);
      own.member.username_key.push(username);
      own.member.display_name.push(username);
      for (let nth = 0; nth < CONFIGS_OF_EACH; nth += 1) {
        const id = randomUUID();
        const at = Math.floor(number / firsts.length) * CONFIGS_OF_EACH + nth + 2;
        own.config.id.push(id);
        own.config.member_id.push(memberId);
        own.config.interface_id.push(place.interface_id);
        own.config.name.push(`device-${nth}`);
        own.config.name_key.push(`device-${nth}`);
        own.config.address.push(`10.8.${at >> 8}.${at & 255}`);
        own.config.public_key.push(randomBytes(32).toString("base64"));
        own.config.sealed_preshared_key.push(seal(`configs.preshared_key:${id}`, generatePresharedKey()));
      }
    }
  });
  await copies(database, "members", first.member_id, { ...own.member, display_name_key: own.member.display_name });
  await copies(database, "configs", first.id, own.config);
  await database.transact(async (tx) => {
    await sql`
      insert into config_services (config_id, service_id, position)
      select configs.id, one.service_id, 0 from configs cross join (select service_id from config_services limit 1) as one
      where not exists (select 1 from config_services where config_id = configs.id)`.execute(tx);
    // Only the main server is open to everybody.
    await sql`
      insert into interface_assignments (member_id, interface_id)
      select distinct member_id, interface_id from configs on conflict do nothing`.execute(tx);
    await sql`update members set role = 'admin' where id = ${first.member_id}`.execute(tx);
  });
  await sql`vacuum (analyze)`.execute(database.db);

  const { rows } = await sql<{ id: string; username: string; configs: DayMember["configs"] }>`
    select members.id, username, json_agg(json_build_object(
      'id', configs.id, 'publicKey', configs.public_key, 'interfaceId', interface_id, 'serverId', server_id) order by configs.id) as configs
    from members join configs on configs.member_id = members.id join interfaces on interfaces.id = interface_id
    where role = 'user' group by members.id`.execute(database.db);
  const [adminToken = ""] = await signInAll(database, [first.member_id], { isElevated: true });
  return { members: rows, adminId: first.member_id, adminToken };
}
