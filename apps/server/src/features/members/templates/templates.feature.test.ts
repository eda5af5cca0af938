import { MOST_TEMPLATES } from "@krug/domain/template-rules";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditOf, unnamedFields } from "../../../../testing/audit-of.ts";
import { detailsOf } from "../../../../testing/details-of.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";

const GIB = 1024 ** 3;
let club: Club;
let admin: Person;
let moderator: Person;
let first: string;
let second: string;
let all: string;
let some: string;
beforeAll(async () => {
  club = await startClub({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  admin = await club.admin();
  moderator = await club.moderator();
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  await club.as(admin).send("POST", `/api/admin/servers/${server?.id}/create-interface`, {});
  const ids = (await club.app.parts.interfaces.all(club.db)).map(({ id }) => id);
  [first = "", second = ""] = ids;
  all = (await club.as(admin).call("GET /services")).body[0]?.id ?? "";
  const added = { name: "Кино", ips: ["192.0.2.0/24"] };
  some = (await club.as(admin).call("POST /services", { body: added })).body.id;
});
// A member may make sixty creations a minute.
beforeEach(async () => {
  club.clock.advance(61_000);
  for (const { id } of await list()) await remove(id);
});
afterAll(() => club.stop());

const list = async (who = admin) => (await club.as(who).call("GET /admin/templates")).body;
const family = () => ({
  name: "Семья",
  services: [some],
  interfaceId: second as string | null,
  configLimit: 7,
  quotaBytes: 50 * GIB,
  quotaAtEnd: "tell" as const,
  speedMbit: 20 as number | null,
  isDefault: false,
});
type Input = Omit<ReturnType<typeof family>, "quotaBytes"> & { quotaBytes: number | null };
/** A refusal's details next to its code. */
const send = (input: Partial<Input> = {}) =>
  club.as(admin).call("POST /admin/templates", { body: { ...family(), ...input } });
const add = async (input: Partial<Input> = {}) => {
  const made = await send(input);
  expect(made.status).toBe(201);
  return made.body;
};
const change = (id: string, body: Partial<Input> & { expected?: Partial<Input> }) =>
  club.as(admin).call("PUT /admin/templates/{id}", { params: { id }, body });
const remove = (id: string) => club.as(admin).call("DELETE /admin/templates/{id}", { params: { id } });
const codeFor = async (templateId?: string | null, interfaces = [first, second], who = admin) => {
  const body = { interfaces, maxUses: -1, subscriptionDays: 30, ...(templateId === undefined ? {} : { templateId }) };
  return club.as(who).call("POST /admin/invite-codes", { body });
};
let newcomers = 0;
const join = async (inviteCode: string) => {
  const username = `newcomer-${++newcomers}`;
  const headers = { "x-forwarded-for": `198.51.100.${newcomers}` };
  const body = { username, password: "a phrase of one's own", inviteCode };
  const joined = await club.guest.call("POST /auth/register", { body, headers });
  expect(joined.status).toBe(201);
  return { ...joined.body.user, as: club.withToken(joined.body.token) };
};
type Joined = Awaited<ReturnType<typeof join>>;
const share = ({ vpnConfigLimit, quotaBytes, quotaAtEnd, speedMbit }: Omit<Joined, "as">) => [
  vpnConfigLimit,
  quotaBytes,
  quotaAtEnd,
  speedMbit,
];
const ofTheSettings = [3, null, "cut", null];
const ofFamily = [7, 50 * GIB, "tell", 20];
const offered = async ({ as }: Joined) => ({
  services: (await as.call("GET /vpn/suggested-services")).body,
  interfaceId: (await as.call("GET /vpn/available-interfaces")).body.find((one) => one.isPreferred)?.id,
});
const nameOn = async (id: string) =>
  (await club.as(admin).call("GET /admin/users/{id}", { params: { id } })).body.template;

describe("a member who joins by a template", () => {
  test("has its limit and quota at once, and is offered its services and interface first", async () => {
    const template = await add();
    const { body: made } = await codeFor(template.id);
    expect(made.template).toEqual({ id: template.id, name: "Семья" });
    const anna = await join(made.code);
    expect(share(anna)).toEqual(ofFamily);
    expect(await offered(anna)).toEqual({ services: [some], interfaceId: second });
    expect(await nameOn(anna.id)).toBe("Семья");
    const byStaff = await club.as(moderator).call("GET /vpn/suggested-services", { query: { userId: anna.id } });
    expect(byStaff.body).toEqual([some]);
  });

  test("also gets its interface if the config names none, and may choose anything else", async () => {
    const anna = await join((await codeFor((await add()).id)).body.code);
    const dns = (await anna.as.call("GET /dns")).body[0]?.id ?? "";
    await anna.as.call("POST /users/accept-rules");
    const input = { name: "phone", deviceType: "phone" as const, services: [all], dns };
    const unnamed = await anna.as.call("POST /vpn/configs", { body: input });
    expect(unnamed.body).toMatchObject({ interfaceId: second, services: [all] });
    const named = await anna.as.call("POST /vpn/configs", { body: { ...input, name: "tablet", interfaceId: first } });
    expect(named.body).toMatchObject({ interfaceId: first });
  });

  test("is held to its limit by the server", async () => {
    const anna = await join((await codeFor((await add({ configLimit: 1 })).id)).body.code);
    const dns = (await anna.as.call("GET /dns")).body[0]?.id ?? "";
    const input = (name: string) => ({ name, deviceType: "computer" as const, services: [all], dns });
    expect((await anna.as.call("POST /vpn/configs", { body: input("one") })).status).toBe(201);
    expect((await anna.as.call("POST /vpn/configs", { body: input("two") })).code).toBe("config.limit_reached");
  });

  test("keeps what they started with if it is changed or deleted later; later members get the new content", async () => {
    const template = await add();
    const { code } = (await codeFor(template.id)).body;
    const anna = await join(code);
    await change(template.id, { name: "Друзья", configLimit: 1, services: [], interfaceId: null, quotaBytes: null });
    const boris = await join(code);
    expect(share(boris)).toEqual([1, null, "tell", 20]);
    await remove(template.id);
    expect(share((await anna.as.call("GET /auth/me")).body)).toEqual(ofFamily);
    expect(await offered(anna)).toEqual({ services: [some], interfaceId: second });
    expect([await nameOn(anna.id), await nameOn(boris.id)]).toEqual(["Семья", "Друзья"]);
  });

  test("gets no right from it: an interface that the code does not assign is not offered", async () => {
    const anna = await join((await codeFor((await add()).id, [first])).body.code);
    expect((await offered(anna)).interfaceId).toBe(first);
  });

  test("is offered the usual choice if the interface is switched off or a service no longer exists", async () => {
    const gone = (await club.as(admin).call("POST /services", { body: { name: "Уйдёт", ips: ["192.0.2.1"] } })).body.id;
    const template = await add({ services: [gone] });
    const anna = await join((await codeFor(template.id)).body.code);
    const [row] = (await club.app.parts.interfaces.all(club.db)).filter(({ id }) => id === second);
    const params = { serverId: row?.server_id ?? "", id: second };
    const turn = (isActive: boolean) =>
      club.as(admin).call("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params, body: { isActive } });
    await club.as(admin).call("DELETE /services/{id}", { params: { id: gone } });
    expect((await turn(false)).status).toBe(200);
    expect(await offered(anna)).toEqual({ services: [], interfaceId: first });
    expect((await list())[0]).toMatchObject({ services: [], interfaceId: second });
    await turn(true);
    expect((await offered(anna)).interfaceId).toBe(second);
  });
});

describe("the default", () => {
  test("applies to codes without a template, members' own codes and members added by staff; a code's own template overrides it", async () => {
    const own = await add();
    await add({ name: "Обычный", configLimit: 4, quotaBytes: null, isDefault: true });
    const byStaffCode = await join((await codeFor()).body.code);
    const inviter = await club.member({ row: { accepted_rules_at: 1 } });
    const made = await club.as(inviter).call("POST /users/generate-invite", { body: {} });
    const byFriend = await join(made.body.code);
    const added = await club.as(admin).call("POST /users", { body: { username: "added-by-staff" } });
    for (const member of [byStaffCode, byFriend, added.body.user]) {
      expect(share(member)).toEqual([4, null, "tell", 20]);
      expect(await nameOn(member.id)).toBe("Обычный");
    }
    expect(share(await join((await codeFor(own.id)).body.code))).toEqual(ofFamily);
  });

  test("exists at most once: another one replaces it, and without one the settings apply", async () => {
    const template = await add({ isDefault: true });
    const other = await add({ name: "Мобильный", isDefault: true });
    const defaults = async () => (await list()).filter(({ isDefault }) => isDefault).map(({ name }) => name);
    expect(await defaults()).toEqual(["Мобильный"]);
    await change(template.id, { isDefault: true });
    expect(await defaults()).toEqual(["Семья"]);
    await remove(template.id);
    const anna = await join((await codeFor()).body.code);
    expect(share(anna)).toEqual(ofTheSettings);
    expect(await nameOn(anna.id)).toBeNull();
    expect(await offered(anna)).toMatchObject({ services: [] });
    await remove(other.id);
  });

  test("replaces a code's template that was deleted", async () => {
    const template = await add();
    const { code, id } = (await codeFor(template.id)).body;
    await add({ name: "Обычный", configLimit: 4, isDefault: true });
    await remove(template.id);
    const shown = await club.as(admin).call("GET /admin/invite-codes/{id}", { params: { id } });
    expect(shown.body.template).toBeNull();
    expect((await join(code)).vpnConfigLimit).toBe(4);
  });
});

describe("adding a member", () => {
  test("takes the named template, and the given limit", async () => {
    const template = await add();
    const added = await club
      .as(admin)
      .call("POST /users", { body: { username: "with-template", templateId: template.id, vpnConfigLimit: 2 } });
    expect(share(added.body.user)).toEqual([2, 50 * GIB, "tell", 20]);
    expect(await nameOn(added.body.user.id)).toBe("Семья");
  });

  test("with a deleted template is refused", async () => {
    const template = await add();
    await remove(template.id);
    const added = await club
      .as(admin)
      .call("POST /users", { body: { username: "by-nothing", templateId: template.id } });
    expect([added.code, detailsOf(added).field]).toEqual(["template.unknown", "templateId"]);
  });
});

describe("admins manage templates", () => {
  test("a moderator sees them, chooses one for a code if allowed to make codes, and changes none", async () => {
    const template = await add();
    expect((await list(moderator)).map(({ name }) => name)).toEqual(["Семья"]);
    const refused = await club.as(moderator).call("POST /admin/templates", { body: family() });
    expect(refused.code).toBe("auth.forbidden");
    await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
    await club.as(admin).call("PUT /admin/settings", { body: { moderatorMayInvites: true } });
    expect((await codeFor(template.id, [first], moderator)).body.template?.name).toBe("Семья");
    await club.as(admin).call("PUT /admin/settings", { body: { moderatorMayInvites: false } });
  });

  test("a code's template can be changed and removed; a deleted one is refused by its field", async () => {
    const template = await add();
    const { id } = (await codeFor()).body;
    const put = (body: { templateId: string | null; expected?: { templateId: string | null } }) =>
      club.as(admin).call("PUT /admin/invite-codes/{id}", { params: { id }, body });
    expect((await put({ templateId: template.id })).body.template?.name).toBe("Семья");
    const unseen = await put({ templateId: null, expected: { templateId: null } });
    expect([unseen.code, detailsOf(unseen).fields]).toEqual(["invite.changed_meanwhile", ["templateId"]]);
    expect((await put({ templateId: null })).body.template).toBeNull();
    await remove(template.id);
    const gone = await put({ templateId: template.id });
    expect([gone.code, detailsOf(gone).field]).toEqual(["template.unknown", "templateId"]);
  });

  test("names are unique without regard to case, and what a template names must exist", async () => {
    const template = await add();
    const other = await add({ name: "Мобильный" });
    const nowhere = "00000000-0000-4000-8000-000000000000";
    const refusal = async (sent: ReturnType<typeof send> | ReturnType<typeof change>) => {
      const answer = await sent;
      return [answer.code, detailsOf(answer).field];
    };
    expect(await refusal(send({ name: " СЕМЬЯ " }))).toEqual(["template.name_taken", "name"]);
    expect(await refusal(change(other.id, { name: "семья" }))).toEqual(["template.name_taken", "name"]);
    expect((await change(template.id, { name: "СЕМЬЯ" })).body.name).toBe("СЕМЬЯ");
    expect(await refusal(send({ name: "a", services: [nowhere] }))).toEqual(["service.unknown", "services"]);
    expect(await refusal(send({ name: "a", interfaceId: nowhere }))).toEqual(["interface.unknown", "interfaceId"]);
    expect((await change(nowhere, { name: "a" })).code).toBe("template.not_found");
  });

  test("of two who change one, the second sees what the first changed, and nothing is written", async () => {
    const template = await add();
    await change(template.id, { configLimit: 9, expected: { configLimit: 7 } });
    const late = await change(template.id, {
      configLimit: 1,
      name: "Другое",
      expected: { configLimit: 7, name: "Семья" },
    });
    expect([late.code, detailsOf(late).fields]).toEqual(["template.changed_meanwhile", ["configLimit"]]);
    expect((await list())[0]).toMatchObject({ name: "Семья", configLimit: 9 });
  });

  test("there are fifty at most", async () => {
    for (let n = 0; n < MOST_TEMPLATES; n++) {
      club.clock.advance(1_100);
      await add({ name: `Шаблон ${n}` });
    }
    const refused = await send({ name: "Ещё один" });
    expect([refused.code, detailsOf(refused).most]).toEqual(["template.too_many", MOST_TEMPLATES]);
  });

  test("each action is in the audit, with the values before and after", async () => {
    const { id } = await add();
    club.clock.advance(1_000);
    await change(id, { configLimit: 9 });
    await change(id, { configLimit: 9 });
    club.clock.advance(1_000);
    await remove(id);
    const entries = await auditOf(club, id);
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ["template.deleted", admin.id],
      ["template.changed", admin.id],
      ["template.added", admin.id],
    ]);
    expect(entries[1]).toMatchObject({ before: { config_limit: 7 }, after: { config_limit: 9, name: "Семья" } });
    expect(await unnamedFields(club.db)).toEqual([]);
  });
});

test("a deleted member's template is deleted too", async () => {
  const anna = await join((await codeFor((await add()).id)).body.code);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } });
  const rows = await club.db
    .withTables<{ member_templates: { member_id: string } }>()
    .selectFrom("member_templates")
    .select("member_id")
    .where("member_id", "=", anna.id)
    .execute();
  expect(rows).toEqual([]);
});
