import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let moderator: Person;
let anna: Person;
let vip: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief" });
  moderator = await club.moderator({ username: "helper" });
  anna = await club.member({ username: "anna", row: { display_name: "Анна Ким" }, configLimit: -1 });
  vip = await club.member({
    username: "quiet-anna",
    row: { display_name: "Анна Тихая", is_vip: 1 },
    configLimit: -1,
  });
  for (const [owner, name] of [
    [anna, "anna-phone"],
    [anna, "tablet"],
    [vip, "anna-hidden"],
  ] as const) {
    await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) });
    const ticket = { subject: `Не работает ${name}`, description: "Совсем" };
    await club.as(owner).call("POST /support/tickets", { body: ticket });
  }
  await club.settle();
});
afterAll(() => club.stop());

const find = async (q: string, who = admin, as?: "moderator") =>
  (await club.as(who).call("GET /admin/search", { query: as === undefined ? { q } : { q, as } })).body;

test("one call finds members, their configs and their tickets by part of a name", async () => {
  const found = await find("ANNA");
  expect(found.members.map(({ username }) => username)).toEqual(["anna", "quiet-anna"]);
  expect(found.configs.map(({ name }) => name)).toEqual(["anna-hidden", "anna-phone"]);
  expect(found.configs[1]?.owner).toEqual({ id: anna.id, username: "anna", displayName: "Анна Ким" });
  expect(found.tickets.map(({ subject }) => subject).sort()).toEqual([
    "Не работает anna-hidden",
    "Не работает anna-phone",
  ]);
});

test("a config is found by its address or the beginning of it", async () => {
  const [config] = (await find("tablet")).configs;
  expect(config?.address).toMatch(/^10\.8\.0\.\d+$/);
  expect((await find(config?.address ?? "")).configs.map(({ name }) => name)).toEqual(["tablet"]);
  expect((await find("10.8.0.")).configs).toHaveLength(3);
  expect((await find("8.0.")).configs).toEqual([]);
});

test("servers and interfaces are found by name, an interface also by its subnet; a server by admins only", async () => {
  const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  expect((await find("interface 1")).interfaces).toEqual([
    { id: place?.id, name: "Interface 1", subnet: place?.subnet, serverId: place?.serverId, serverName: "Этот сервер" },
  ]);
  expect((await find(place?.subnet ?? "")).interfaces).toHaveLength(1);
  expect((await find("этот сер")).servers.map(({ name }) => name)).toEqual(["Этот сервер"]);
  expect((await find("этот сер", moderator)).servers).toEqual([]);
  expect((await find("этот сер", admin, "moderator")).servers).toEqual([]);
  club.remotes.rent("203.0.113.9");
  const credentials = { host: "203.0.113.9", port: 22, username: "root", password: "right" };
  const { id } = (await club.as(admin).call("POST /admin/servers", { body: { name: "Рига", credentials } })).body;
  await club.as(admin).call("PUT /admin/servers/{id}", { params: { id }, body: { endpoint: "riga.example" } });
  expect((await find("203.0.113.9")).servers, "by the address it is reached at").toHaveLength(1);
});

test("a moderator, or an admin who looks as one, does not find VIP members, their configs and their tickets", async () => {
  for (const found of [await find("anna", moderator), await find("anna", admin, "moderator")]) {
    expect(found.members.map(({ username }) => username)).toEqual(["anna"]);
    expect(found.configs.map(({ name }) => name)).toEqual(["anna-phone"]);
    expect(found.tickets.map(({ subject }) => subject)).toEqual(["Не работает anna-phone"]);
  }
});

test("an invite code is found by the whole code, and a moderator does not see a VIP member's use of it", async () => {
  const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  const terms = { interfaces: [place?.id ?? ""], subscriptionDays: 30 };
  const { code, id } = (await club.as(admin).call("POST /admin/invite-codes", { body: terms })).body;
  const body = { inviteCode: code, username: "newcomer", password: "a long password" };
  expect((await club.guest.call("POST /auth/register", { body })).status).toBe(201);
  await club.as(admin).call("PUT /users/{id}", { params: { id: "newcomer" }, body: { isVip: true } });
  expect((await find(code.toLowerCase())).codes).toEqual([{ id, code, state: "used" }]);
  expect((await find(code, moderator)).codes).toEqual([{ id, code, state: "active" }]);
  expect((await find(code.slice(0, 5))).codes).toEqual([]);
});

test("at most six of each kind are answered, and wildcard characters are literal", async () => {
  for (let n = 0; n < 8; n++) await club.member({ username: `many-${n}` });
  expect((await find("many-")).members).toHaveLength(6);
  const found = await find("%_");
  expect([found.members, found.configs, found.tickets]).toEqual([[], [], []]);
  expect((await club.as(admin).send("GET", "/api/admin/search?q=%20")).code).toBe("request.invalid");
});
