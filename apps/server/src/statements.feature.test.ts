import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";
import { asIfChanged, statementsOutside } from "../testing/statements-outside.ts";
import { isPostgres } from "./platform/database/database.ts";

/*
 * Every open page makes these calls again and again. What seldom changes is cached, so a call only queries the caller's own data.
 */
let club: Club;
let boris: Person;
beforeAll(async () => {
  club = await startClub();
  boris = await club.member();
  for (const name of ["laptop", "phone"])
    await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) });
  await club.settle();
});
afterAll(() => club.stop());

/** Of a call that comes after a change. */
async function statementsOf(call: () => Promise<{ status: number }>): Promise<number> {
  const withChange = await statementsOutside(club.db, async () => {
    await asIfChanged(club.db);
    expect((await call()).status).toBe(200);
  });
  return withChange - 1;
}

test("identifying the caller costs one statement: the session together with its member", async () => {
  expect(await statementsOf(() => club.as(boris).call("GET /auth/me"))).toBe(1);
});

test("one's own configs cost four: the session, the configs, their services and their counters", async () => {
  expect(await statementsOf(() => club.as(boris).call("GET /vpn/configs"))).toBe(4);
});

test("while nothing changes, SQLite is not queried again; PostgreSQL cannot tell, and is", async () => {
  const [own, mine] = isPostgres(club.db) ? [1, 4] : [0, 0];
  expect(await statementsOutside(club.db, () => club.as(boris).call("GET /auth/me"))).toBe(own);
  expect(await statementsOutside(club.db, () => club.as(boris).call("GET /vpn/configs"))).toBe(mine);
});

test("the catalogue costs only the session", async () => {
  expect(await statementsOf(() => club.as(boris).call("GET /services"))).toBe(1);
  expect(await statementsOf(() => club.as(boris).call("GET /dns"))).toBe(1);
});

test("a change shows in the next answer, however recent the last one", async () => {
  const admin = await club.admin();
  const own = async () => (await club.as(boris).call("GET /vpn/configs")).body[0];
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  const [tunnel] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  const services = async () => (await club.as(boris).call("GET /services")).body.map(({ name }) => name);
  const resolvers = async () => (await club.as(boris).call("GET /dns")).body.map(({ name }) => name);
  if (server === undefined || tunnel === undefined) throw new Error("the club has no server");
  // More than once: a single unannounced change might show because the cache was just being refreshed.
  for (const name of ["one", "two", "three"]) {
    await own();
    await club.as(admin).call("PUT /admin/servers/{id}", { params: { id: server.id }, body: { name } });
    expect(await own()).toMatchObject({ serverName: name, state: "applied" });

    const params = { serverId: server.id, id: tunnel.id };
    const turn = (isActive: boolean) =>
      club.as(admin).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params, body: { isActive } });
    await turn(false);
    expect((await own())?.state).toBe("off");
    await turn(true);
    await club.settle();
    expect((await own())?.state).toBe("applied");

    await services();
    const added = await club.as(admin).call("POST /services", {
      body: { name, ips: ["203.0.113.0/24"], deviceTypes: ["all"] },
    });
    expect(await services()).toContain(name);
    const id = added.body.id;
    await club.as(admin).call("PUT /services/{id}", { params: { id }, body: { name: `${name} again` } });
    expect(await services()).toContain(`${name} again`);
    await club.as(admin).call("DELETE /services/{id}", { params: { id } });
    expect(await services()).not.toContain(`${name} again`);

    await resolvers();
    await club.as(admin).call("POST /dns", { body: { name, ips: ["203.0.113.1"] } });
    expect(await resolvers()).toContain(name);
  }
});
