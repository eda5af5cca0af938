import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Listening, listen } from "../../../../testing/listen.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
const open: Listening[] = [];
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.leave();
});
afterAll(() => club.stop());

const pageOf = async (person: Person) => {
  const stream = await listen(`${club.origin}/api/events`, { token: person.token });
  open.push(stream);
  return stream;
};
const changed = (topic: string) => ({ event: "changed", data: { topic }, id: undefined });
/** What the next events are about, in any order. */
const topics = async (page: Listening, count: number) => {
  const found: unknown[] = [];
  for (let event = 0; event < count; event++) found.push((await page.next())?.data);
  return found.map((data) => (data as { topic: string }).topic).sort();
};
const change = (person: Person, body: object) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: person.id }, body });

describe("an open page learns at once of", () => {
  test("a renewal by staff", async () => {
    const boris = await club.member();
    const page = await pageOf(boris);
    await change(boris, { subscriptionEnd: "2027-03-31" });
    expect(await page.next()).toEqual(changed("account"));
  });

  test("the club's changes, for staff: who claims to have paid, changes of codes", async () => {
    const [boris, moderator] = [await club.member(), await club.moderator()];
    await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
    const [staff, own] = [await pageOf(moderator), await pageOf(boris)];
    await club.as(boris).call("POST /payments/claim", { body: {} });
    expect(await topics(staff, 2)).toEqual(["clubPayments", "inbox"]);
    const interfaces = (await club.as(admin).call("GET /admin/servers/interfaces")).body.map(({ id }) => id);
    const code = await club.as(admin).call("POST /admin/invite-codes", { body: { interfaces } });
    expect(await staff.next()).toEqual(changed("clubInvites"));
    const body = { username: "newcomer-x", password: "a phrase of his own", inviteCode: code.body.code };
    expect((await club.guest.call("POST /auth/register", { body })).status).toBe(201);
    expect(await staff.next()).toEqual(changed("clubInvites"));
    // A member gets only their own changes.
    expect(await own.next()).toEqual(changed("payments"));
    await change(boris, { displayName: "Борис" });
    expect(await own.next()).toEqual(changed("account"));
  });

  test("what another admin does to servers, interfaces, services and DNS, for staff", async () => {
    const staff = await pageOf(await club.moderator());
    const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const params = { serverId: place?.serverId ?? "", interfaceId: place?.id ?? "" };
    const path = "PUT /admin/servers/{serverId}/interfaces/{interfaceId}";
    expect((await club.as(admin).call(path, { params, body: { name: "Семья" } })).status).toBe(200);
    expect(await staff.next()).toEqual(changed("clubServers"));
    expect((await club.as(admin).call("POST /dns", { body: { name: "Home", ips: ["9.9.9.9"] } })).status).toBe(201);
    expect(await staff.next()).toEqual(changed("clubCatalog"));
  });

  test("nothing of a VIP member's payments, for a moderator", async () => {
    await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
    const [vip, boris] = [await club.member({ row: { is_vip: 1 } }), await club.member()];
    const [moderators, admins] = [await pageOf(await club.moderator()), await pageOf(admin)];
    await club.as(vip).call("POST /payments/claim", { body: {} });
    await club.as(vip).call("DELETE /payments/claim");
    await club.as(boris).call("POST /payments/claim", { body: {} });
    expect(await topics(moderators, 2)).toEqual(["clubPayments", "inbox"]);
    expect((await topics(admins, 6)).filter((topic) => topic === "clubPayments")).toHaveLength(3);
    await expect(Promise.race([moderators.next(), wait(200, "silence")])).resolves.toBe("silence");
  });

  test("nothing of a VIP member's devices that a rule names, for a moderator", async () => {
    const [vip, moderator] = [await club.member({ row: { is_vip: 1 } }), await club.moderator()];
    const body = { type: "blacklist" as const, target: "203.0.113.7", appliesTo: [vip.id] };
    await club.as(admin).call("POST /admin/rules", { body });
    await club.settle();
    // The server's rules are now unknown, so they are loaded and recorded again for the member's device.
    await club.db.withTables<{ access_rules_on_servers: object }>().deleteFrom("access_rules_on_servers").execute();
    const [moderators, admins] = [await pageOf(moderator), await pageOf(admin)];
    await club.as(vip).call("POST /vpn/configs", { body: await configInput(club, vip) });
    await club.settle();
    expect(await admins.next()).toEqual(changed("accessRules"));
    await expect(Promise.race([moderators.next(), wait(200, "silence")])).resolves.toBe("silence");
  });

  test("nothing of a rule only for VIP members, even while it is applied, for a moderator", async () => {
    const [vip, boris] = [await club.member({ row: { is_vip: 1 } }), await club.member()];
    const rule = (target: string, ...members: Person[]) =>
      club.as(admin).call("POST /admin/rules", {
        body: { type: "blacklist", target, appliesTo: members.map(({ id }) => id) },
      });
    // So that the server has all changes by now.
    await rule("203.0.113.20", boris);
    await club.settle();
    const [moderators, admins] = [await pageOf(await club.moderator()), await pageOf(admin)];
    const { body } = await rule("203.0.113.21", vip);
    await club.settle();
    await club.as(admin).call("DELETE /admin/rules/{id}", { params: { id: body.id } });
    await club.settle();
    for (let event = 0; event < 4; event++) expect(await admins.next()).toEqual(changed("accessRules"));
    const heard = moderators.next();
    await expect(Promise.race([heard, wait(200, "silence")])).resolves.toBe("silence");
    await rule("203.0.113.22", vip, boris);
    await club.settle();
    expect([await heard, await moderators.next()]).toEqual([changed("accessRules"), changed("accessRules")]);
  });

  test("a config made on another page of the member, and of its steps to the wire", async () => {
    const boris = await club.member();
    const page = await pageOf(boris);
    await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
    await club.settle();
    expect([await page.next(), await page.next()]).toEqual([changed("configs"), changed("configs")]);
  });

  test("a config that staff deleted", async () => {
    const boris = await club.member();
    const { body } = await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
    await club.settle();
    const page = await pageOf(boris);
    await club.as(admin).call("DELETE /vpn/configs/{id}", { params: { id: body.id } });
    expect(await page.next()).toEqual(changed("configs"));
  });

  test("staff's decision on their payment, and their own claim on another page", async () => {
    const boris = await club.member();
    await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
    const page = await pageOf(boris);
    await club.as(boris).call("POST /payments/claim", { body: {} });
    expect(await page.next()).toEqual(changed("payments"));
    const body = { userId: boris.id, status: "paid" as const, period: "2026-11" };
    await club.as(admin).call("PUT /admin/payments/status", { body });
    expect(await topics(page, 3)).toEqual(["account", "inbox", "payments"]);
  });

  test("nothing that happens to others", async () => {
    const [boris, vera] = [await club.member(), await club.member()];
    const page = await pageOf(boris);
    await change(vera, { displayName: "Вера" });
    await change(boris, { displayName: "Борис" });
    expect(await page.next()).toEqual(changed("account"));
    await expect(Promise.race([page.next(), wait(200, "silence")])).resolves.toBe("silence");
  });

  test("no refused change", async () => {
    const boris = await club.member();
    const page = await pageOf(boris);
    expect((await change(boris, { displayName: "Борис", subscriptionEnd: "2001-01-01" })).code).toBe(
      "member.subscription_in_past",
    );
    await change(boris, { displayName: "Борис" });
    expect(await page.next()).toEqual(changed("account"));
  });
});

describe("a stream ends at once", () => {
  test("when its member is blocked", async () => {
    const boris = await club.member();
    const page = await pageOf(boris);
    await change(boris, { isActive: false });
    const heard = [await page.next()];
    while (heard.at(-1) !== undefined) heard.push(await page.next());
    expect(heard.at(-2)).toEqual({ event: "ended", data: { why: "blocked" } });
    expect((await pageOf(boris)).status).toBe(401);
  });

  test("when its session is ended from another, while the other's continues", async () => {
    const boris = await club.member();
    const login = { username: boris.username, password: boris.password };
    const { body } = await club.guest.call("POST /auth/login", { body: login });
    const [here, there] = [await pageOf(boris), await pageOf({ ...boris, token: body.token })];
    const sessions = (await club.as(boris).call("GET /auth/sessions")).body;
    const other = sessions.find(({ current }) => !current)?.id ?? "";
    await club.as(boris).call("DELETE /auth/sessions/{id}", { params: { id: other } });
    expect(await there.next()).toBeUndefined();
    await change(boris, { displayName: "Борис" });
    expect(await here.next()).toEqual(changed("account"));
  });

  test("when maintenance begins: members are shut out, staff reconnect", async () => {
    const boris = await club.member();
    const [page, staffPage] = [await pageOf(boris), await pageOf(admin)];
    await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
    expect([await page.next(), await staffPage.next()]).toEqual([undefined, undefined]);
    expect([(await pageOf(boris)).status, (await pageOf(admin)).status]).toEqual([503, 200]);
    await club.transact((tx) => club.app.parts.maintenance.set(tx, false, null));
  });

  test("when the panel stops, without waiting for any page", async () => {
    const boris = await club.member();
    const page = await pageOf(boris);
    await club.restart();
    // Earlier changes may still come.
    while ((await page.next()) !== undefined);
    expect((await pageOf(boris)).status).toBe(200);
  });
});

test("for a member with more open pages than anyone looks at: the oldest one", async () => {
  const boris = await club.member();
  const oldest = await pageOf(boris);
  for (let more = 0; more < 20; more++) await pageOf(boris);
  expect(await oldest.next()).toBeUndefined();
});
