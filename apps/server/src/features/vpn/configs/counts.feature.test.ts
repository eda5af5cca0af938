import { RESTORE_WINDOW_MS } from "@krug/domain/config-rules";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* Triggers maintain counts of configs (migration 0650): after any change they must equal counting. */

let club: Club;
let boris: Person;
beforeAll(async () => {
  club = await startClub();
  boris = await club.member({ username: "boris", configLimit: -1 });
});
afterAll(() => club.stop());

async function rowsOf(text: string): Promise<string[]> {
  const { rows } = await sql.raw<Record<string, unknown>>(text).execute(club.db);
  return rows.map((row) => Object.values(row).map(String).join(" ")).sort();
}
const kept = () =>
  rowsOf(`select kind, id, sum(configs) as configs, sum(on_wire) as on_wire, sum(delivered) as delivered, sum(held) as held from config_counts group by kind, id
    having sum(configs) <> 0 or sum(on_wire) <> 0 or sum(delivered) <> 0 or sum(held) <> 0`);
const OUT = "case when deleted_at is null and delivered_at is not null then 1 else 0 end";
const counted = () =>
  rowsOf(`select * from (
    select 'interface' as kind, interface_id as id, sum(case when deleted_at is null then 1 else 0 end) as configs,
      sum(case when deleted_at is null then on_wire else 0 end) as on_wire, sum(${OUT}) as delivered, 0 as held from configs group by interface_id
    union all select 'dns', dns_id, sum(case when deleted_at is null then 1 else 0 end), 0, sum(${OUT}),
      sum(case when address <> '' and place_of is null then 1 else 0 end) from configs group by dns_id
    union all select 'service', service_id, count(*), 0, sum(${OUT}), 0 from config_services join configs on configs.id = config_id group by service_id
  ) as found where configs <> 0 or on_wire <> 0 or delivered <> 0 or held <> 0`);

async function expectExact(what: string): Promise<void> {
  await club.settle();
  expect(await kept(), what).toEqual(await counted());
}

test("after any change to devices their counts equal counting them", async () => {
  const admin = await club.admin();
  const as = club.as(boris);
  const wish = await configInput(club, boris);
  const { services, dns } = {
    services: (await as.call("GET /services")).body.map(({ id }) => id),
    dns: (await as.call("GET /dns")).body.map(({ id }) => id),
  };
  const ids: string[] = [];
  for (const name of ["phone", "laptop", "tablet"])
    ids.push((await as.call("POST /vpn/configs", { body: { ...wish, name } })).body.id);
  await expectExact("made");
  const [phone = "", laptop = "", tablet = ""] = ids;
  for (const id of [phone, laptop]) await as.call("GET /vpn/configs/{id}/download", { params: { id } });
  await expectExact("given out");
  expect(await kept()).not.toEqual([]);
  await as.call("PUT /vpn/configs/{id}", { params: { id: phone }, body: { services, dns: dns.at(-1) as string } });
  await expectExact("with other services and another resolver");
  await as.call("DELETE /vpn/configs/{id}", { params: { id: laptop } });
  await expectExact("deleted");
  await as.call("POST /vpn/configs/{id}/restore", { params: { id: laptop } });
  await expectExact("brought back");
  await club.as(admin).call("POST /admin/configs/delete", { body: { ids: [phone, tablet] } });
  await expectExact("deleted by staff");
  club.clock.advance(RESTORE_WINDOW_MS + 1);
  await club.app.parts.configs.purgePast();
  await expectExact("forgotten");
});

test("also by what no call does: many at once, another place, rows that go", async () => {
  await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name: "router" }) });
  await club.settle();
  for (const text of [
    "update configs set on_wire = 1 - on_wire, delivered_at = case when delivered_at is null then 1 end",
    "update configs set deleted_at = case when deleted_at is null then 1 end",
    "update configs set address = '' where deleted_at is not null",
    "update config_services set service_id = (select max(id) from services) where config_id = (select max(config_id) from config_services)",
    "update configs set place_of = id where place_of is null",
    "delete from config_services",
    "delete from traffic_counters",
    "delete from configs where id not in (select config_id from config_services_past)",
  ]) {
    await sql.raw(text).execute(club.db);
    expect(await kept(), text).toEqual(await counted());
  }
});
