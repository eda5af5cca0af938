import { AUDIT_ACTIONS } from "@krug/domain/audit-actions";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { tokenInLink } from "../../../../testing/link-token.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

async function aClub(): Promise<Club> {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  return club;
}
const read = async (club: Club, who: Person, query: object = {}) =>
  (await club.as(who).call("GET /admin/audit", { query })).body;
const change = (club: Club, admin: Person, member: Person, body: object) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: member.id }, body });

describe("the log is append-only", () => {
  let club: Club;
  let admin: Person;
  beforeAll(async () => {
    club = await startClub({ localServer: "off" });
    admin = await club.admin();
    await change(club, admin, await club.member(), { vpnConfigLimit: 7 });
  });
  afterAll(() => club.stop());

  test.each([
    "update audit set action = 'member.added'",
    "update audit set before = null where id in (select id from audit)",
    "delete from audit",
    "delete from audit where at < 9999999999999",
  ])("the database itself refuses: %s", async (statement) => {
    const before = await read(club, admin);
    await expect(sql.raw(statement).execute(club.db)).rejects.toThrow(/append-only/);
    expect(await read(club, admin)).toEqual(before);
  });

  test("a row cannot be replaced either", async () => {
    const [entry] = await read(club, admin);
    const put = (begin: string, end: string) =>
      sql.raw(`${begin} into audit (id, at, action) values ('${entry?.id}', 1, 'member.added')${end}`).execute(club.db);
    const upsert = put("insert", " on conflict (id) do update set action = 'member.deleted'");
    await expect(upsert).rejects.toThrow(/append-only/);
    if (club.config.databaseUrl === null) await expect(put("insert or replace", "")).rejects.toThrow(/append-only/);
    else await expect(sql.raw("truncate audit").execute(club.db)).rejects.toThrow(/append-only/);
    expect((await read(club, admin))[0]).toEqual(entry);
  });
});

describe("what an entry records", () => {
  test("who did it, in which session, what to, whom it concerns, and the values before", async () => {
    const club = await aClub();
    const admin = await club.admin({ username: "chief", row: { display_name: "Глава" } });
    const boris = await club.member({ username: "boris", row: { display_name: "Борис" } });
    await change(club, admin, boris, { vpnConfigLimit: 7, displayName: "Борис II" });
    const [entry] = await read(club, admin);
    expect(entry).toMatchObject({
      at: club.clock.now().toISOString(),
      action: "member.changed",
      by: { id: admin.id, username: "chief", displayName: "Глава" },
      session: { device: "Test" },
      target: { kind: "member", id: boris.id },
      member: { id: boris.id, displayName: "Борис II" },
      before: { vpnConfigLimit: 3, displayName: "Борис" },
      after: { vpnConfigLimit: 7, displayName: "Борис II" },
    });
    const sessions = (await club.as(admin).call("GET /auth/sessions")).body;
    expect(entry?.session?.id).toBe(sessions.find(({ current }) => current)?.id);
  });

  test("an act on the command line has no actor and no session", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const { transact, maintenance } = club.app.parts;
    await transact(async (tx) => void (await maintenance.set(tx, true, null)));
    expect((await read(club, admin))[0]).toMatchObject({ action: "maintenance.switched", by: null, session: null });
  });

  test("ids in an entry come with their current names", async () => {
    const club = await startClub();
    onTestFinished(() => club.stop());
    const admin = await club.admin();
    const [first] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const terms = { interfaces: [first?.id ?? ""], subscriptionDays: 30 };
    await club.as(admin).call("POST /admin/invite-codes", { body: terms });
    const [entry] = await read(club, admin);
    expect(entry).toMatchObject({ action: "invite.added", target: { kind: "invite" }, member: null });
    expect(entry?.names).toMatchObject({ [first?.id ?? ""]: `${first?.serverName}: ${first?.name}` });
  });

  test("an entry holds no code, password or secret", async () => {
    const club = await startClub();
    onTestFinished(() => club.stop());
    const admin = await club.admin();
    const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const { code } = (
      await club.as(admin).call("POST /admin/invite-codes", {
        body: { interfaces: [place?.id ?? ""], subscriptionDays: 30 },
      })
    ).body;
    const boris = await club.member();
    const { link } = (await club.as(admin).call("POST /users/{id}/password-link", { params: { id: boris.id } })).body;
    const params = { id: admin.id };
    const { secret } = (await club.as(admin).call("GET /totp/{id}/status", { params })).body;
    const rows = JSON.stringify((await sql`select * from audit`.execute(club.db)).rows);
    for (const hidden of [code, tokenInLink(link), secret, admin.token]) expect(rows).not.toContain(hidden);
  });
});

test("a deleted member's names leave the log, the entries stay", async () => {
  const club = await aClub();
  const admin = await club.admin();
  const boris = await club.member({ username: "boris-the-first", row: { display_name: "Борис Первый" } });
  const period = club.clock.now().toISOString().slice(0, 7);
  await club.as(admin).call("PUT /admin/payments/status", {
    body: { userId: boris.id, period, status: "overdue", note: "Борис уехал" },
  });
  const params = { userId: boris.id };
  await club.as(admin).call("POST /telegram/notify/{userId}", { params, body: { message: "Борис, здравствуйте" } });
  const told = (await read(club, admin)).map(({ after }) => after);
  expect(told).toEqual(
    expect.arrayContaining([
      { message: "Борис, здравствуйте" },
      expect.objectContaining({ status: "overdue", note: "Борис уехал" }),
    ]),
  );
  club.clock.advance(1_000);
  await change(club, admin, boris, { displayName: "Борис Второй", vpnConfigLimit: 7 });
  const body = { message: "Борис, продлите подписку" };
  await club.as(admin).call("POST /telegram/notify/{userId}", { params: { userId: boris.id }, body });
  club.clock.advance(1_000);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  const entries = await read(club, admin);
  const [deleted] = entries;
  const changed = entries.find(({ action }) => action === "member.changed");
  expect(deleted).toMatchObject({
    action: "member.deleted",
    member: { id: boris.id, username: null, displayName: null },
  });
  expect(changed).toMatchObject({ before: { vpnConfigLimit: 3 }, after: { vpnConfigLimit: 7 } });
  for (const table of ["audit", "audit_names"])
    expect(JSON.stringify((await sql.raw(`select * from ${table}`).execute(club.db)).rows)).not.toMatch(/Борис|boris/);
});

describe("who sees which entries", () => {
  test("moderators see nothing of VIP members, the system and servers, and neither does an admin who looks as one", async () => {
    const club = await aClub();
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    const [vip, boris] = [await club.member({ row: { is_vip: 1 } }), await club.member({ username: "boris" })];
    await change(club, admin, vip, { vpnConfigLimit: 1 });
    await change(club, admin, boris, { vpnConfigLimit: 2 });
    await club.as(admin).call("PUT /admin/settings", { body: { graceHours: 3 } });
    await club.as(admin).call("POST /admin/system/wipe-simulation");
    const all = await club.as(admin).call("GET /admin/audit");
    expect(all.body.map(({ action }) => action).sort()).toEqual([
      "member.changed",
      "member.changed",
      "settings.changed",
      "system.wipe_simulated",
    ]);
    expect(all.headers.get("x-total-count")).toBe("4");
    for (const answer of [
      await club.as(moderator).call("GET /admin/audit"),
      await club.as(admin).call("GET /admin/audit", { query: { as: "moderator" } }),
    ]) {
      expect(answer.body).toMatchObject([{ action: "member.changed", member: { id: boris.id } }]);
      expect(answer.headers.get("x-total-count")).toBe("1");
      expect(JSON.stringify(answer.body)).not.toContain(vip.id);
    }
    expect(await read(club, moderator, { action: "system" })).toEqual([]);
    expect(await read(club, moderator, { q: vip.username })).toEqual([]);
    // A moderator does not see the acts of a VIP staff member either.
    const chief = await club.admin({ row: { is_vip: 1 } });
    await change(club, chief, boris, { vpnConfigLimit: 4 });
    expect(await read(club, moderator)).toHaveLength(1);
  });

  test("a moderator learns nothing of rules for VIP members only, and gets no number that counts them", async () => {
    const club = await startClub();
    onTestFinished(() => club.stop());
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    const [vip, boris] = [await club.member({ row: { is_vip: 1 } }), await club.member()];
    const other = await club.member({ row: { is_vip: 1 } });
    const add = async (target: string, appliesTo: string[] | "all") =>
      (await club.as(admin).call("POST /admin/rules", { body: { target, appliesTo } })).body.id;
    const hidden = await add("203.0.113.1", [vip.id, other.id]);
    await add("203.0.113.2", [vip.id, boris.id]);
    await add("203.0.113.3", "all");
    await club.as(admin).call("DELETE /admin/rules/{id}", { params: { id: hidden } });
    const [place] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
    const [serverId, interfaceId] = [place?.serverId ?? "", place?.id ?? ""];
    await club
      .as(admin)
      .call("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}", { params: { serverId, interfaceId } });
    const targets = async (who: Person) =>
      (await read(club, who, { action: "rule" })).map(({ before, after }) => (after ?? before)?.target).sort();
    const all = ["203.0.113.1", "203.0.113.1", "203.0.113.2", "203.0.113.3"];
    expect(await targets(admin)).toEqual(all);
    expect(await targets(moderator)).toEqual(["203.0.113.2", "203.0.113.3"]);
    const answer = await club.as(moderator).call("GET /admin/audit");
    expect(answer.headers.get("x-total-count")).toBe("3");
    const mixed = answer.body.find(({ after }) => after?.target === "203.0.113.2");
    expect(mixed?.after).toMatchObject({ appliesTo: [boris.id] });
    const deleted = answer.body.find(({ action }) => action === "interface.deleted");
    expect(deleted?.before).toMatchObject({ interfaceName: "wg0" });
    expect(deleted?.before).not.toHaveProperty("configs");
  });

  test("moderators do not see what the gate lets pass and what the bot requires", async () => {
    const club = await aClub();
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    await club.as(admin).call("PUT /admin/security", { body: { exceptions: ["203.0.113.7"] } });
    await club.as(admin).call("PUT /admin/telegram", { body: { required: false } });
    expect((await read(club, admin)).map(({ action }) => action).sort()).toEqual([
      "security.changed",
      "telegram.changed",
    ]);
    expect(await read(club, moderator)).toEqual([]);
  });

  test("the actors offered for a search are the staff the reader may see", async () => {
    const club = await aClub();
    const [admin, moderator] = [await club.admin({ row: { is_vip: 1 } }), await club.moderator()];
    await club.member();
    const ids = async (who: Person) => (await club.as(who).call("GET /admin/audit/staff")).body.map(({ id }) => id);
    expect((await ids(admin)).sort()).toEqual([admin.id, moderator.id].sort());
    expect(await ids(moderator)).toEqual([moderator.id]);
  });
});

describe("searching the log", () => {
  let club: Club;
  let admin: Person;
  let other: Person;
  beforeAll(async () => {
    club = await startClub({ localServer: "off" });
    [admin, other] = [await club.admin(), await club.admin()];
    const boris = await club.member({ username: "boris", row: { display_name: "Борис" } });
    const vera = await club.member({ username: "vera" });
    await change(club, admin, boris, { vpnConfigLimit: 7 });
    await club.as(admin).call("POST /users/{id}/password-link", { params: { id: boris.id } });
    await change(club, other, vera, { vpnConfigLimit: 8 });
    club.clock.advance(24 * 3_600_000);
    // Yesterday's sessions have ended.
    admin = await club.admin();
    await club.as(admin).call("POST /services", { body: { name: "Почта", ips: ["198.51.100.7"] } });
  });
  afterAll(() => club.stop());
  const actions = async (query: object) => (await read(club, admin, query)).map(({ action }) => action).sort();

  test.each<[string, object, string[]]>([
    ["one act", { action: "member.password_link" }, ["member.password_link"]],
    ["an area", { action: "member" }, ["member.changed", "member.changed", "member.password_link"]],
    ["whom it concerns", { q: "борис" }, ["member.changed", "member.password_link"]],
    ["nobody of that name", { q: "nobody" }, []],
    ["a day of the club's calendar", { from: "2026-11-22", to: "2026-11-22" }, ["service.added"]],
    ["up to a day", { to: "2026-11-21" }, ["member.changed", "member.changed", "member.password_link"]],
    ["before anything", { to: "2026-11-20" }, []],
    ["an area and a day", { action: "service", from: "2026-11-22" }, ["service.added"]],
  ])("by %s", async (_, query, expected) => {
    expect(await actions(query)).toEqual(expected);
  });

  test("by actor", async () => {
    expect(await actions({ by: other.id })).toEqual(["member.changed"]);
  });

  test("pages list the newest first, none twice and none left out", async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: { body: { id: string }[]; headers: Headers } = await club
        .as(admin)
        .call("GET /admin/audit", { query: { limit: 1, ...(cursor ? { cursor } : {}) } });
      expect(page.headers.get("x-total-count")).toBe("4");
      seen.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor") ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual((await read(club, admin)).map(({ id }) => id));
    expect(new Set(seen).size).toBe(4);
  });
});

test("every act that staff are notified of is in the catalogue", () => {
  for (const action of Object.keys(AUDIT_ACTIONS)) expect(action).toMatch(/^[a-z_]+\.[a-z_]+$/);
});

test("a moderator finds each entry they may see once, the newest first, however many others lie between", async () => {
  const club = await aClub();
  const [admin, moderator] = [await club.admin(), await club.moderator()];
  const boris = await club.member();
  const fill = (action: string, first: number, count: number) =>
    sql`insert into audit (id, at, action)
      with recursive numbers (n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(first + count - 1)})
      select '00000000-0000-4000-8000-' || (100000000000 + n), ${sql.lit(club.clock.now().getTime())} + n / 2, ${sql.lit(action)} from numbers`.execute(
      club.db,
    );
  await change(club, admin, boris, { vpnConfigLimit: 7 });
  await fill("server.changed", 1, 700);
  expect(await read(club, moderator)).toMatchObject([{ action: "member.changed" }]);
  await fill("note.added", 1_001, 90);
  await fill("server.changed", 2_001, 450);
  await fill("member.changed", 3_001, 30);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { body: { id: string }[]; headers: Headers } = await club
      .as(moderator)
      .call("GET /admin/audit", { query: { limit: 40, ...(cursor === null ? {} : { cursor }) } });
    seen.push(...page.body.map(({ id }) => id));
    cursor = page.headers.get("x-next-cursor");
  } while (cursor !== null);
  const { rows } = await sql<{ id: string }>`select id from audit where action not like 'server.%'
    order by at desc, id desc`.execute(club.db);
  expect(seen).toEqual(rows.map(({ id }) => id));
  expect(seen).toHaveLength(121);
});
