import { randomUUID } from "node:crypto";
import type { AccessRuleAnswer } from "@krug/contract/vpn/access-rules";
import { reason } from "@krug/domain/reasons";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { HostRefused, NO_ACCESS_RULES } from "../../../hosts/host.ts";

const REFUSED = reason("program.failed", { program: "nft", code: 1 }, "nft failed");

const MINUTE_MS = 60_000;
const NOTHING = { allowed: [], denied: [] };

let club: Club;
let admin: Person;
let anna: Person;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  anna = await club.member({ username: "anna", row: { display_name: "Анна" } });
  boris = await club.member({ username: "boris", row: { display_name: "Борис" } });
});
afterEach(() => club.stop());

const add = (body: object) => club.as(admin).send("POST", "/api/admin/rules", body);
const added = async (body: object) => {
  const answer = await add(body);
  expect([answer.status, answer.message]).toEqual([201, undefined]);
  return answer.body as AccessRuleAnswer;
};
const list = async (who = admin, query: Record<string, string> = {}) =>
  (await club.as(who).call("GET /admin/rules", { query })).body;
const remove = (id: string) => club.as(admin).call("DELETE /admin/rules/{id}", { params: { id } });
const device = async (owner: Person, name = "laptop") => {
  const { body } = await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) });
  const [row] = await club.app.parts.configs.byIds(club.db, [body.id]);
  return { id: body.id, address: row?.address ?? "" };
};
const servers = async () => (await club.as(admin).call("GET /admin/rules/servers")).body;
const check = async (who: Person, target: string, asker = admin) =>
  (await club.as(asker).call("GET /admin/rules/check", { query: { userId: who.id, target } })).body;

describe("adding", () => {
  test("a rule without options blocks everybody, in force when the answer comes", async () => {
    const rule = await added({ target: "203.0.113.7/24" });
    expect(rule).toEqual({
      id: expect.any(String),
      type: "blacklist",
      target: "203.0.113.0/24",
      appliesTo: "all",
      group: null,
      memberCount: null,
      createdAt: club.clock.now().toISOString(),
      domain: null,
    });
    expect(club.host.access).toEqual({ everyone: { allowed: [], denied: ["203.0.113.0/24"] }, groups: [] });
    expect(await list()).toEqual([rule]);
    expect(await servers()).toMatchObject([
      { state: "in_force", appliedAt: club.clock.now().toISOString(), reason: null },
    ]);
  });

  test("a rule for selected members uses the addresses of their devices", async () => {
    const { address } = await device(anna);
    await device(boris);
    const rule = await added({ type: "whitelist", target: "203.0.113.7", applies_to: [anna.id, anna.id] });
    expect(rule).toMatchObject({ type: "whitelist", target: "203.0.113.7", appliesTo: [anna.id], memberCount: 1 });
    expect(club.host.access).toEqual({
      everyone: NOTHING,
      groups: [{ allowed: ["203.0.113.7/32"], denied: [], sources: [address] }],
    });
  });

  test.each([
    [{ target: "" }, "request.invalid"],
    [{ target: "*.example.org" }, "rule.target_invalid"],
    [{ target: "https://example.org/x" }, "rule.target_invalid"],
    [{ target: "203.0.113.7/33" }, "rule.target_invalid"],
    [{ target: "1.1.1.1 } ; flush ruleset" }, "rule.target_invalid"],
    [{ target: "10.8.0.5" }, "rule.target_closed"],
    [{ target: "127.0.0.0/8", type: "whitelist" }, "rule.target_closed"],
    [{ target: "203.0.113.7", type: "grey" }, "request.invalid"],
    [{ target: "203.0.113.7", appliesTo: [] }, "request.invalid"],
    [{ target: "203.0.113.7", appliesTo: "some" }, "request.invalid"],
    [{ target: "203.0.113.7", appliesTo: [randomUUID()] }, "rule.member_unknown"],
  ])("%j is refused with %s, and nothing is changed", async (body, code) => {
    expect((await add(body)).code).toBe(code);
    expect(await list()).toEqual([]);
    expect(club.host.access).toEqual(NO_ACCESS_RULES);
  });

  test("the same rule twice is refused, in any spelling; other members or the other list make another rule", async () => {
    await added({ target: "203.0.113.0/24" });
    expect((await add({ target: "203.0.113.9/24" })).code).toBe("rule.exists");
    expect((await add({ target: "203.0.113.0/24", appliesTo: [anna.id] })).code).toBe("rule.exists");
    await added({ target: "203.0.113.0/24", type: "whitelist", appliesTo: [anna.id, boris.id] });
    expect((await add({ target: "203.0.113.0/24", type: "whitelist", appliesTo: [boris.id, anna.id] })).code).toBe(
      "rule.exists",
    );
    await added({ target: "203.0.113.0/24", type: "whitelist", appliesTo: [boris.id] });
    expect(await list()).toHaveLength(3);
  });

  test("of many who add the same rule at once one does", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add({ target: "example.org" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(await list()).toHaveLength(1);
  });
});

test("a deleted rule is lifted when the answer comes; a second deletion finds nothing", async () => {
  const { id } = await added({ target: "203.0.113.0/24" });
  expect((await remove(id)).status).toBe(204);
  expect(club.host.access).toEqual(NO_ACCESS_RULES);
  expect((await remove(id)).code).toBe("rule.not_found");
  expect(await list()).toEqual([]);
});

test("the audit log has who added and deleted what, with its before and after", async () => {
  const { id } = await added({ target: "203.0.113.7", appliesTo: [anna.id] });
  await remove(id);
  const told = { type: "blacklist", target: "203.0.113.7", appliesTo: [anna.id] };
  expect(await auditOf(club, id)).toEqual(
    expect.arrayContaining([
      { actorId: admin.id, action: "rule.added", before: null, after: told },
      { actorId: admin.id, action: "rule.deleted", before: told, after: null },
    ]),
  );
});

describe("the list", () => {
  test("is searched, filtered by type and paged, the newest first", async () => {
    for (const [place, target] of ["203.0.113.1", "203.0.113.2", "example.org", "203.0.113.3"].entries()) {
      club.clock.advance(1_000);
      await added({ target, type: place === 1 ? "whitelist" : "blacklist" });
    }
    expect((await list()).map(({ target }) => target)).toEqual([
      "203.0.113.3",
      "example.org",
      "203.0.113.2",
      "203.0.113.1",
    ]);
    expect((await list(admin, { q: "EXAMPLE" })).map(({ target }) => target)).toEqual(["example.org"]);
    expect((await list(admin, { type: "whitelist" })).map(({ target }) => target)).toEqual(["203.0.113.2"]);
  });

  test("a domain is found by its readable spelling, and the log uses that too", async () => {
    const { id } = await added({ target: "Пример.рф" });
    club.clock.advance(1_000);
    await added({ target: "другой.рф" });
    const search = async (q: string) => (await list(admin, { q })).map(({ target }) => target);
    expect(await search("ПРИМЕР")).toEqual(["пример.рф"]);
    expect(await search("xn--e1afmkfd")).toEqual(["пример.рф"]);
    expect(await search(".рф")).toEqual(["другой.рф", "пример.рф"]);
    expect(await search("нет")).toEqual([]);
    expect(await auditOf(club, id)).toMatchObject([{ after: { target: "пример.рф" } }]);
  });

  test("comes page by page", async () => {
    for (const target of ["203.0.113.1", "example.org", "203.0.113.3"]) {
      club.clock.advance(1_000);
      await added({ target });
    }
    const first = await club.as(admin).call("GET /admin/rules", { query: { type: "blacklist", limit: 2 } });
    expect(first.headers.get("x-total-count")).toBe("3");
    const cursor = first.headers.get("x-next-cursor") ?? "";
    const second = await club.as(admin).call("GET /admin/rules", { query: { type: "blacklist", limit: 2, cursor } });
    expect([...first.body, ...second.body].map(({ target }) => target)).toEqual([
      "203.0.113.3",
      "example.org",
      "203.0.113.1",
    ]);
    expect(second.headers.get("x-next-cursor")).toBeNull();
  });

  test("names a hundred of a rule's members, and all of them on request", async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 130 },
        async (_, index) => (await club.member({ username: `member-x${String(index).padStart(3, "0")}` })).id,
      ),
    );
    const { id, memberCount, appliesTo } = await added({ target: "203.0.113.1", appliesTo: ids });
    expect([memberCount, appliesTo.length]).toEqual([130, 100]);
    const page = await club.as(admin).call("GET /admin/rules/{id}/members", { params: { id }, query: { limit: 100 } });
    expect([page.headers.get("x-total-count"), page.body.length, page.body[0]?.username]).toEqual([
      "130",
      100,
      "member-x000",
    ]);
    const rest = await club.as(admin).call("GET /admin/rules/{id}/members", {
      params: { id },
      query: { cursor: page.headers.get("x-next-cursor") ?? "" },
    });
    expect(rest.body).toHaveLength(30);
    const found = await club.as(admin).call("GET /admin/rules/{id}/members", { params: { id }, query: { q: "x007" } });
    expect(found.body.map(({ username }) => username)).toEqual(["member-x007"]);
  });

  test("a moderator sees the rules and changes none; VIP members appear nowhere", async () => {
    const moderator = await club.moderator();
    const vip = await club.member({ username: "vera", row: { is_vip: 1 } });
    const mixed = await added({ target: "203.0.113.1", appliesTo: [anna.id, vip.id] });
    const hidden = await added({ target: "203.0.113.2", appliesTo: [vip.id] });
    for (const asked of [
      await club.as(moderator).call("GET /admin/rules"),
      await club.as(admin).call("GET /admin/rules", { query: { as: "moderator" } }),
    ]) {
      expect(asked.body).toMatchObject([{ id: mixed.id, appliesTo: [anna.id], memberCount: 1 }]);
      expect(asked.headers.get("x-total-count")).toBe("1");
    }
    const membersOf = (id: string) => club.as(moderator).call("GET /admin/rules/{id}/members", { params: { id } });
    expect((await membersOf(mixed.id)).body.map(({ username }) => username)).toEqual(["anna"]);
    expect((await membersOf(hidden.id)).code).toBe("rule.not_found");
    const asked = await club
      .as(moderator)
      .call("GET /admin/rules/check", { query: { userId: vip.id, target: "203.0.113.2" } });
    expect(asked.code).toBe("member.not_found");
    expect((await club.as(moderator).send("POST", "/api/admin/rules", { target: "203.0.113.9" })).code).toBe(
      "auth.forbidden",
    );
    expect((await club.as(moderator).call("DELETE /admin/rules/{id}", { params: { id: mixed.id } })).code).toBe(
      "auth.forbidden",
    );
    expect(await list()).toHaveLength(2);
  });
});

describe("where rules are in force", () => {
  const seenBy = async (someone: Person, as?: "moderator") =>
    (await club.as(someone).call("GET /admin/rules/servers", { query: as === undefined ? {} : { as } })).body;

  test("a moderator sees no sign of a rule for VIP members only, neither when it is applied nor when it fails", async () => {
    const moderator = await club.moderator();
    const vip = await club.member({ row: { is_vip: 1 } });
    await added({ target: "203.0.113.1", appliesTo: [anna.id] });
    const [before, admins] = [await seenBy(moderator), await seenBy(admin)];
    expect(before).toMatchObject([{ state: "in_force", appliedAt: club.clock.now().toISOString() }]);
    club.clock.advance(60_000);
    const hidden = await added({ target: "203.0.113.2", appliesTo: [vip.id] });
    expect(await seenBy(moderator)).toEqual(before);
    expect(await seenBy(admin, "moderator")).toEqual(before);
    expect((await seenBy(admin))[0]?.appliedAt).not.toBe(admins[0]?.appliedAt);
    club.clock.advance(60_000);
    const { apply, applyAccess } = club.host;
    club.host.applyAccess = () => Promise.reject(new HostRefused(REFUSED));
    club.host.apply = async (desired) => ({ ...(await apply(desired)), firewallFailure: REFUSED });
    await club.as(admin).call("DELETE /admin/rules/{id}", { params: { id: hidden.id } });
    await club.settle();
    expect(await seenBy(admin)).toMatchObject([{ state: "pending" }]);
    expect(await seenBy(moderator)).toEqual(before);
    Object.assign(club.host, { apply, applyAccess });
    await added({ target: "203.0.113.3", appliesTo: [anna.id, vip.id] });
    expect(await seenBy(moderator)).toMatchObject([{ state: "in_force", appliedAt: club.clock.now().toISOString() }]);
  });

  test("a rule for VIP members that heals a failure everybody saw heals it for a moderator too", async () => {
    const moderator = await club.moderator();
    const vip = await club.member({ row: { is_vip: 1 } });
    await added({ target: "203.0.113.1", appliesTo: [anna.id] });
    const { apply, applyAccess } = club.host;
    club.host.applyAccess = () => Promise.reject(new HostRefused(REFUSED));
    club.host.apply = async (desired) => ({ ...(await apply(desired)), firewallFailure: REFUSED });
    await device(anna).catch(() => null);
    await club.settle();
    expect(await seenBy(moderator)).toMatchObject([{ state: "pending" }]);
    club.clock.advance(60_000);
    await added({ target: "203.0.113.2", appliesTo: [vip.id] });
    Object.assign(club.host, { apply, applyAccess });
    club.clock.advance(60_000);
    await added({ target: "203.0.113.3", appliesTo: [vip.id] });
    await club.settle();
    expect(await seenBy(admin)).toMatchObject([{ state: "in_force" }]);
    expect(await seenBy(moderator)).toMatchObject([{ state: "in_force", appliedAt: club.clock.now().toISOString() }]);
  });
});

describe("whom a rule names", () => {
  test("a member's new device is under it before it is on the wire, and a deleted one no longer is", async () => {
    await added({ target: "203.0.113.7", appliesTo: [anna.id] });
    expect(club.host.access.groups).toEqual([]);
    const calls = club.host.calls.applyAccess;
    const { id, address } = await device(anna);
    expect(club.host.access.groups).toEqual([{ allowed: [], denied: ["203.0.113.7/32"], sources: [address] }]);
    expect(club.host.calls.applyAccess).toBe(calls + 1);
    await club.as(anna).call("DELETE /vpn/configs/{id}", { params: { id } });
    expect(club.host.access.groups).toEqual([]);
    await club.as(anna).call("POST /vpn/configs/{id}/restore", { params: { id } });
    expect(club.host.access.groups).toMatchObject([{ sources: [address] }]);
  });

  test("a device whose rules cannot be loaded does not get on the wire", async () => {
    await added({ target: "203.0.113.7", appliesTo: [anna.id] });
    const { applyAccess, apply } = club.host;
    const refuses = () => Promise.reject(new HostRefused(REFUSED));
    Object.assign(club.host, { applyAccess: refuses, apply: refuses });
    await device(anna);
    expect(club.host.peers()).toEqual([]);
    Object.assign(club.host, { applyAccess, apply });
    club.clock.advance(MINUTE_MS);
    await club.app.lookAtServers();
    await club.settle();
    expect(club.host.peers()).toHaveLength(1);
    expect(club.host.access.groups).toHaveLength(1);
  });

  test("other members' devices come and go without changing the rules", async () => {
    await added({ target: "203.0.113.7", appliesTo: [anna.id] });
    const calls = club.host.calls.applyAccess;
    await device(boris);
    expect(club.host.calls.applyAccess).toBe(calls);
  });

  test("members under the same rules are grouped, and each of their devices counts", async () => {
    const first = await device(anna);
    const second = await device(anna, "phone");
    const third = await device(boris);
    await added({ target: "203.0.113.7", appliesTo: [anna.id, boris.id] });
    await added({ target: "203.0.113.8", appliesTo: [boris.id] });
    expect(club.host.access.groups).toEqual(
      expect.arrayContaining([
        { allowed: [], denied: ["203.0.113.7/32"], sources: [first.address, second.address].sort() },
        { allowed: [], denied: ["203.0.113.7/32", "203.0.113.8/32"].slice(0, 2), sources: [third.address] },
      ]),
    );
  });

  test("a deleted member is no longer named, and a rule that named nobody else is deleted too", async () => {
    await device(anna);
    const own = await added({ target: "203.0.113.7", appliesTo: [anna.id] });
    const shared = await added({ target: "203.0.113.8", appliesTo: [anna.id, boris.id] });
    club.clock.advance(1_000);
    await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } });
    await club.settle();
    expect(await list()).toMatchObject([{ id: shared.id, appliesTo: [boris.id], memberCount: 1 }]);
    expect(club.host.access.groups).toEqual([]);
    expect(await auditOf(club, own.id)).toContainEqual(
      expect.objectContaining({ action: "rule.deleted", actorId: null }),
    );
  });
});

describe("a rule for a group", () => {
  const group = async (name: string, memberIds: string[]) => {
    const { body } = await club.as(admin).call("POST /admin/groups", { body: { name } });
    await move("join", body.id, memberIds);
    return body.id;
  };
  const move = async (action: "join" | "leave", groupId: string, ids: string[]) => {
    if (ids.length > 0)
      await club.as(admin).call("POST /admin/users/bulk", { body: { ids, action, groupId } as never });
    await club.settle();
  };
  const sources = () => club.host.access.groups.flatMap((each) => each.sources).sort();

  test("is for its members now and later, also an empty one, and only for them", async () => {
    const [hers, his] = [await device(anna), await device(boris)];
    const family = await group("Семья", []);
    const rule = await added({ target: "203.0.113.0/24", appliesTo: { groupId: family } });
    expect(rule).toMatchObject({ appliesTo: [], memberCount: 0, group: { id: family, name: "Семья" } });
    expect(sources()).toEqual([]);
    await move("join", family, [anna.id, boris.id]);
    expect(sources()).toEqual([hers.address, his.address].sort());
    expect(await list()).toMatchObject([{ id: rule.id, memberCount: 2 }]);
    expect((await check(anna, "203.0.113.7")).places).toMatchObject([
      { open: false, rule: { id: rule.id, group: { name: "Семья" } } },
    ]);
    await move("leave", family, [boris.id]);
    expect(sources()).toEqual([hers.address]);
    await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } });
    await club.settle();
    expect([sources(), (await list()).length]).toEqual([[], 1]);
  });

  test("is refused twice, without a group, and is deleted with its group, which says so before", async () => {
    const family = await group("Семья", [anna.id]);
    const { address } = await device(anna);
    const wish = { target: "203.0.113.0/24", appliesTo: { groupId: family } };
    const { id } = await added(wish);
    expect((await add(wish)).code).toBe("rule.exists");
    await added({ ...wish, appliesTo: [anna.id] });
    expect((await add({ target: "203.0.113.1", appliesTo: { groupId: anna.id } })).code).toBe("group.unknown");
    const groups = (await club.as(admin).call("GET /admin/groups", { query: {} })).body;
    expect(groups).toMatchObject([{ id: family, ruleCount: 1 }]);
    await club.as(admin).call("DELETE /admin/groups/{id}", { params: { id: family } });
    await club.settle();
    expect(await list()).toMatchObject([{ group: null, appliesTo: [anna.id] }]);
    expect(sources()).toEqual([address]);
    const told = { type: "blacklist", target: "203.0.113.0/24", groups: ["Семья"] };
    expect(await auditOf(club, id)).toEqual(
      expect.arrayContaining([
        { actorId: admin.id, action: "rule.added", before: null, after: told },
        { actorId: admin.id, action: "rule.deleted", before: told, after: null },
      ]),
    );
  });

  test("has its members again if a panel from before such rules moved them", async () => {
    const family = await group("Семья", [anna.id]);
    const { address } = await device(anna);
    await added({ target: "203.0.113.0/24", appliesTo: { groupId: family } });
    await sql`delete from access_rule_members`.execute(club.db);
    await club.app.parts.accessRules.followGroups();
    await club.settle();
    expect(sources()).toEqual([address]);
  });
});

describe("a domain", () => {
  beforeEach(() => {
    club.names.known.set("example.org", { v4: ["203.0.113.40"], v6: ["2001:db8::40"] });
  });

  test("is resolved when its rule is added, in IPv4 and IPv6", async () => {
    const rule = await added({ target: "Example.org." });
    expect(rule).toMatchObject({
      target: "example.org",
      domain: { addresses: ["203.0.113.40", "2001:db8::40"], foundAt: club.clock.now().toISOString(), failure: null },
    });
    expect(club.host.access.everyone.denied).toEqual(["203.0.113.40/32", "2001:db8::40/128"]);
  });

  test("is looked up again every 5 minutes, and changes reach the servers", async () => {
    await added({ target: "example.org" });
    await added({ target: "example.org", type: "whitelist", appliesTo: [anna.id] });
    club.names.asked.length = 0;
    club.clock.advance(5 * MINUTE_MS - 1);
    await club.app.parts.accessRules.watchNames();
    expect(club.names.asked).toEqual([]);
    club.clock.advance(1);
    const calls = club.host.calls.applyAccess;
    await club.app.parts.accessRules.watchNames();
    await club.settle();
    expect([club.names.asked, club.host.calls.applyAccess]).toEqual([["example.org"], calls]);
    club.names.known.set("example.org", { v4: ["203.0.113.41"], v6: [] });
    club.clock.advance(5 * MINUTE_MS);
    await club.app.parts.accessRules.watchNames();
    await club.settle();
    expect(club.host.access.everyone.denied).toEqual(["203.0.113.41/32"]);
  });

  test("that cannot be resolved keeps its last addresses, and shows since when", async () => {
    await added({ target: "example.org" });
    club.names.away = true;
    club.clock.advance(5 * MINUTE_MS);
    const since = club.clock.now().toISOString();
    await club.app.parts.accessRules.watchNames();
    club.clock.advance(5 * MINUTE_MS);
    await club.app.parts.accessRules.watchNames();
    expect((await list())[0]?.domain).toMatchObject({
      addresses: ["203.0.113.40", "2001:db8::40"],
      failingSince: since,
      failure: "unavailable",
    });
    expect(club.host.access.everyone.denied).toHaveLength(2);
    club.names.away = false;
    club.names.known.delete("example.org");
    club.clock.advance(5 * MINUTE_MS);
    await club.app.parts.accessRules.watchNames();
    expect((await list())[0]?.domain).toMatchObject({ failingSince: since, failure: "not_found" });
    expect(club.host.access.everyone.denied).toHaveLength(2);
    club.names.known.set("example.org", { v4: ["203.0.113.40"], v6: null });
    club.clock.advance(5 * MINUTE_MS);
    await club.app.parts.accessRules.watchNames();
    expect((await list())[0]?.domain?.addresses).toEqual(["203.0.113.40", "2001:db8::40"]);
  });

  test("that was never found is looked up twice a minute until it is", async () => {
    const rule = await added({ target: "soon.example" });
    expect(rule.domain).toMatchObject({ addresses: [], foundAt: null, failure: "not_found" });
    expect(club.host.access).toEqual(NO_ACCESS_RULES);
    club.names.known.set("soon.example", { v4: ["203.0.113.50"], v6: [] });
    club.clock.advance(30_000);
    await club.app.parts.accessRules.watchNames();
    await club.settle();
    expect(club.host.access.everyone.denied).toEqual(["203.0.113.50/32"]);
    expect((await list())[0]?.domain).toMatchObject({ failingSince: null, failure: null });
  });

  test("is deleted with its last rule", async () => {
    const first = await added({ target: "example.org" });
    const second = await added({ target: "example.org", type: "whitelist" });
    await remove(first.id);
    expect((await list())[0]?.domain?.addresses).toHaveLength(2);
    await remove(second.id);
    club.names.asked.length = 0;
    club.clock.advance(10 * MINUTE_MS);
    await club.app.parts.accessRules.watchNames();
    expect(club.names.asked).toEqual([]);
  });
});

describe("a server", () => {
  test("that is down waits, with the reason, and gets the rules when it is back", async () => {
    club.host.away = "no answer from the machine";
    await added({ target: "203.0.113.7" });
    await club.settle();
    expect(await servers()).toMatchObject([{ state: "pending", why: { said: "no answer from the machine" } }]);
    club.host.away = null;
    await club.app.lookAtServers();
    await club.settle();
    expect(club.host.access.everyone.denied).toEqual(["203.0.113.7/32"]);
    expect(await servers()).toMatchObject([{ state: "in_force", reason: null }]);
  });

  test("whose firewall refuses is not shown as in force", async () => {
    const { apply, applyAccess } = club.host;
    club.host.applyAccess = () => Promise.reject(new HostRefused(REFUSED));
    club.host.apply = async (desired) => ({ ...(await apply(desired)), firewallFailure: REFUSED });
    await added({ target: "203.0.113.7" });
    expect(await servers()).toMatchObject([{ state: "pending", why: { code: "program.failed", said: "nft failed" } }]);
    Object.assign(club.host, { apply, applyAccess });
    await club.app.lookAtServers();
    await club.settle();
    expect(await servers()).toMatchObject([{ state: "in_force", reason: null }]);
  });

  test("has the rules again after it and the panel restart", async () => {
    await added({ target: "203.0.113.7" });
    club.host.reboot();
    await club.restart();
    expect(club.host.access.everyone.denied).toEqual(["203.0.113.7/32"]);
  });
});

describe("whether a member would reach a place", () => {
  test("is answered with the deciding rule", async () => {
    await device(anna);
    const ban = await added({ target: "203.0.113.0/24" });
    const exception = await added({ type: "whitelist", target: "203.0.113.7", appliesTo: [anna.id] });
    expect(await check(anna, "198.51.100.1")).toMatchObject({
      verdict: "reaches",
      obstacle: null,
      places: [{ by: "default" }],
    });
    expect(await check(anna, "203.0.113.8")).toMatchObject({
      verdict: "closed",
      places: [{ open: false, by: "blacklist", rule: { id: ban.id, appliesTo: "all" } }],
    });
    expect(await check(anna, "203.0.113.7")).toMatchObject({
      verdict: "reaches",
      member: { id: anna.id, displayName: "Анна" },
      places: [{ open: true, by: "whitelist", rule: { id: exception.id, appliesTo: "selected" } }],
    });
  });

  test("a place closed to everybody shows as closed, whatever exceptions there are", async () => {
    await device(anna);
    const { address } = await device(boris);
    await added({ type: "whitelist", target: "0.0.0.0/0" });
    const by = async (target: string) => (await check(anna, target)).places[0];
    expect(await by(address)).toMatchObject({ open: false, by: "closed", closedBecause: "members" });
    expect(await by("192.168.1.1")).toMatchObject({ by: "closed", closedBecause: "private" });
    expect(await by("127.0.0.1")).toMatchObject({ by: "closed", closedBecause: "loopback" });
    expect(await by("169.254.169.254")).toMatchObject({ by: "closed", closedBecause: "link_local" });
    expect(await by("203.0.113.7:25")).toMatchObject({ open: false, by: "closed_port" });
    expect(await by("203.0.113.7:443")).toMatchObject({ open: true, by: "whitelist" });
    expect(await by("2001:db8::1")).toMatchObject({ open: false, by: "no_ipv6" });
  });

  test("a domain is answered for each of its addresses", async () => {
    await device(anna);
    club.names.known.set("example.org", { v4: ["203.0.113.1", "203.0.113.2"], v6: [] });
    await added({ target: "203.0.113.1" });
    expect(await check(anna, "example.org")).toMatchObject({
      verdict: "partly",
      failure: null,
      places: [
        { address: "203.0.113.1", open: false },
        { address: "203.0.113.2", open: true },
      ],
    });
    expect(await check(anna, "nowhere.example")).toMatchObject({ verdict: "closed", failure: "not_found", places: [] });
  });

  test("whatever closes the member's whole tunnel comes first", async () => {
    const expired = await club.member({ subscriptionEnd: club.clock.now().getTime() - 1 });
    expect(await check(expired, "203.0.113.1")).toMatchObject({ verdict: "closed", obstacle: "expired" });
    expect(await check(anna, "203.0.113.1")).toMatchObject({ verdict: "closed", obstacle: "no_devices" });
    await device(anna);
    expect(await check(anna, "203.0.113.1")).toMatchObject({ obstacle: null });
    await club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { isActive: false } });
    expect(await check(anna, "203.0.113.1")).toMatchObject({ verdict: "closed", obstacle: "blocked" });
  });

  test("devices that bypass the tunnel for it are named", async () => {
    const { body: service } = await club
      .as(admin)
      .call("POST /services", { body: { name: "Кино", ips: ["198.51.100.0/24"] } });
    const wish = await configInput(club, anna, { name: "tv" });
    await club.as(anna).call("POST /vpn/configs", { body: { ...wish, services: [service.id] } });
    await device(anna);
    expect((await check(anna, "203.0.113.1")).beside).toEqual(["tv"]);
    expect((await check(anna, "198.51.100.9")).beside).toEqual([]);
  });

  test("on the server that a member's devices use, only the ports for members are open", async () => {
    await device(anna);
    const [server] = (await club.as(admin).call("GET /admin/servers")).body;
    const own = server?.endpoint ?? server?.defaultEndpoint ?? "";
    expect((await check(anna, `${own}:22`)).places).toMatchObject([{ open: false, by: "closed_port" }]);
    for (const target of [`${own}:443`, own, "203.0.113.1:22"])
      expect((await check(anna, target)).verdict, target).toBe("reaches");
  });

  test.each([
    ["203.0.113.0/24", "rule.check_network"],
    ["not a place", "rule.target_invalid"],
  ])("'%s' is not a place: %s", async (target, code) => {
    const asked = await club.as(admin).call("GET /admin/rules/check", { query: { userId: anna.id, target } });
    expect(asked.code).toBe(code);
  });
});
