import { RESTORE_WINDOW_MS } from "@krug/domain/config-rules";
import { DAY_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member({ configLimit: -1 });
});
afterEach(() => club.stop());

const addressOf = async (id: string) => (await club.app.parts.configs.byIds(club.db, [id]))[0]?.address;
let names = 0;
const make = async () => {
  const body = await configInput(club, boris, { name: `d-${names++}` });
  return (await club.as(boris).call("POST /vpn/configs", { body })).body;
};
const remove = (id: string) => club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
const setSubnet = async (subnet: string) => {
  const { transact, interfaces } = club.app.parts;
  const [only] = await interfaces.all(club.db);
  await transact((tx) => interfaces.update(tx, only?.id ?? "", { subnet }));
};
const forgetDeleted = async () => {
  club.clock.advance(RESTORE_WINDOW_MS + 1);
  await club.app.parts.configs.purgePast();
};

test("a new config gets the lowest free address, in whatever order others come and go", async () => {
  const first = 2;
  const held = new Map<number, number>();
  const living = new Map<number, string>();
  // Pseudo-random, the same every time.
  let seed = 7;
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let step = 0; step < 120; step += 1) {
    club.clock.advance(4_000);
    await club.app.parts.configs.purgePast();
    const now = club.clock.now().getTime();
    for (const [number, at] of held) if (now - at > RESTORE_WINDOW_MS) held.delete(number);
    if (living.size > 0 && draw(5) < 2) {
      const [number, id] = [...living][draw(living.size)] ?? expect.unreachable();
      await remove(id);
      living.delete(number);
      held.set(number, now);
      continue;
    }
    let lowest = first;
    while (living.has(lowest) || held.has(lowest)) lowest += 1;
    const { id } = await make();
    expect(await addressOf(id), `step ${step}`).toBe(`10.8.0.${lowest}`);
    living.set(lowest, id);
  }
  expect(living.size).toBeGreaterThan(10);
});

test("on another subnet addresses start over, and none of the new ones is lost", async () => {
  await setSubnet("10.8.4.0/24");
  const ids = [(await make()).id, (await make()).id];
  for (const id of ids) await remove(id);
  await forgetDeleted();
  const admin = await club.admin();
  const [place] = await club.app.parts.interfaces.all(club.db);
  const params = { serverId: place?.server_id ?? "", id: place?.id ?? "" };
  // The old subnet's first addresses are in the middle of the new one.
  const { status } = await club
    .as(admin)
    .call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params, body: { subnet: "10.8.0.0/16" } });
  expect(status).toBe(200);
  expect([await addressOf((await make()).id), await addressOf((await make()).id)]).toEqual(["10.8.0.2", "10.8.0.3"]);
});

test("staff are warned by how many addresses are free, including returned ones", async () => {
  await setSubnet("10.8.0.0/28");
  const made = [];
  for (let number = 0; number < 13; number += 1) made.push(await make());
  for (const { id } of made.slice(0, 5)) await remove(id);
  await forgetDeleted();
  // They have been warned once already; the next warning can come a day later.
  club.clock.advance(DAY_MS);
  const admin = await club.admin();
  const warnings = async () =>
    (await club.as(admin).call("GET /inbox")).body.filter(({ kind }) => kind === "addresses_low").length;
  for (let number = 0; number < 2; number += 1) await make();
  expect(await warnings()).toBe(0);
  await make();
  expect(await warnings()).toBe(1);
});

test("a refused creation counts, even an unparseable one", async () => {
  const limited = await club.member({ configLimit: 1 });
  const body = await configInput(club, limited);
  const send = (wish: object) => club.as(limited).send("POST", "/api/vpn/configs", wish);
  expect((await send(body)).status).toBe(201);
  for (let number = 0; number < 30; number += 1) expect((await send(body)).code).toBe("config.limit_reached");
  for (let number = 0; number < 29; number += 1) expect((await send({ ...body, name: 1 })).status).toBe(400);
  expect((await send(body)).code).toBe("request.too_many");
  expect((await send({ ...body, name: 1 })).code).toBe("request.too_many");
  club.clock.advance(60_000);
  expect((await send(body)).code).toBe("config.limit_reached");
});

test("an address listed as free although a device has it does no harm, and is corrected when that device ends", async () => {
  const { id } = await make();
  const [place] = await club.app.parts.interfaces.all(club.db);
  // As an earlier version's race left it.
  await sql`insert into free_addresses (interface_id, address_number)
    select interface_id, address_number from configs where id = ${id}`.execute(club.db);
  const made = [await make(), await make()];
  expect(await Promise.all([id, ...made.map((config) => config.id)].map(addressOf))).toEqual([
    "10.8.0.2",
    "10.8.0.3",
    "10.8.0.4",
  ]);
  await remove(id);
  await forgetDeleted();
  expect(await addressOf(id)).toBe("");
  expect(await addressOf((await make()).id)).toBe("10.8.0.2");
  const left = await sql`select 1 from free_addresses where interface_id = ${place?.id}`.execute(club.db);
  expect(left.rows).toEqual([]);
});
