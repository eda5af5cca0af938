import { contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { configInput } from "../testing/config-input.ts";
import { startClub } from "../testing/start-club.ts";

/*
 * Panels that share a database are upgraded one after the other: the first newer one changes the schema while older ones run.
 * Whatever a migration may add (scripts/landed-migrations.mjs) must not affect them.
 */

test("a running panel keeps working when a newer one adds tables, and columns to each that it uses", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const admin = await club.admin();
  const member = await club.member();
  const endpoints: EndpointSpec[] = Object.values(contract).flatMap((feature) => Object.values(feature));
  const readable = endpoints.filter(
    ({ method, path, answer }) => method === "GET" && !path.includes("{") && !isStream(answer),
  );
  const readAll = async () => {
    const read: string[] = [];
    for (const { path } of readable)
      for (const person of [admin, member])
        read.push(`${path} ${person.username} ${(await club.as(person).send("GET", `/api${path}`)).status}`);
    return read;
  };
  const live = async (name: string) => {
    const body = await configInput(club, member, { name });
    const made = (await club.as(member).call("POST /vpn/configs", { body })).body;
    expect((await club.as(member).call("POST /support/messages", { body: { content: name } })).status).toBe(201);
    const day = { subscriptionEnd: "2027-01-31" };
    const params = { id: member.id };
    expect((await club.as(admin).call("PUT /users/{id}", { params, body: day })).status).toBe(200);
    expect((await club.as(member).call("GET /auth/me")).body.username).toBe(member.username);
    const login = { username: member.username, password: member.password };
    expect((await club.guest.call("POST /auth/login", { body: login })).status).toBe(200);
    await club.settle();
    expect((await club.as(member).call("GET /vpn/configs")).body.map(({ state }) => state)).toEqual(["applied"]);
    expect((await club.as(member).call("DELETE /vpn/configs/{id}", { params: { id: made.id } })).status).toBe(204);
  };
  // Every statement runs once before, so that it is not new to a connection afterwards.
  await live("before");
  const before = await readAll();
  expect(before.length).toBeGreaterThan(80);

  await sql`create table of_tomorrow (id text primary key)`.execute(club.db);
  for (const { name, schema } of await club.db.introspection.getTables())
    if (schema === "public")
      await sql`alter table ${sql.table(name)} add column of_tomorrow text not null default 'new'`.execute(club.db);

  await live("after");
  expect(await readAll()).toEqual(before);
});
