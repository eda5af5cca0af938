import { reason } from "@krug/domain/reasons";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member({ username: "anna" });
});
afterEach(() => club.stop());

const device = async (name: string) => {
  const { body } = await club.as(anna).call("POST /vpn/configs", { body: await configInput(club, anna, { name }) });
  const [row] = await club.app.parts.configs.byIds(club.db, [body.id]);
  await club.settle();
  return [row?.address ?? "", ...(row?.address_v6 ? [row.address_v6] : [])];
};
const limit = async (speedMbit: number | null) => {
  const { body } = await club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { speedMbit } });
  await club.settle();
  return body.speedMbit;
};
const server = async () => (await club.as(admin).call("GET /admin/servers")).body[0];

test("a limit reaches the server at once, with all of the member's devices, and those that come later", async () => {
  const phone = await device("phone");
  const applied = club.host.calls.apply;
  expect(await limit(20)).toBe(20);
  expect(club.host.speeds).toEqual([{ key: anna.id, mbit: 20, sources: [...phone].sort() }]);
  const laptop = await device("laptop");
  expect(club.host.speeds).toEqual([{ key: anna.id, mbit: 20, sources: [...phone, ...laptop].sort() }]);
  // The short way: the rest of the server was not compared.
  expect(club.host.calls.apply).toBe(applied);
  club.host.speeds = [];
  await club.app.parts.reconciler.reconcileAll();
  await club.settle();
  expect(club.host.speeds).toEqual([{ key: anna.id, mbit: 20, sources: [...phone, ...laptop].sort() }]);
  await limit(null);
  expect(club.host.speeds).toEqual([]);
});

test("staff see that a server limits nobody, until it does", async () => {
  await device("phone");
  club.host.speedFailure = reason("program.not_found", { program: "tc" });
  await limit(20);
  expect((await server())?.speedsUnlimited).not.toBeNull();
  club.host.speedFailure = null;
  await club.app.parts.reconciler.reconcileAll();
  await club.settle();
  expect((await server())?.speedsUnlimited).toBeNull();
});

test.each([0, 10_001, 1.5, "20"])("%j is no speed", async (speedMbit) => {
  const answer = await club.as(admin).send("PUT", `/api/users/${anna.id}`, { speedMbit });
  expect(answer.status).toBe(400);
});
