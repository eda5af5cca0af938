import { generateKeyPair } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { addWebhook } from "../../../../testing/webhook-double.ts";

/*
 * Staff can change a whole club with one call, while everybody else waits for the locked rows. So there is one statement for each kind
 * of write, not one for each member.
 */
const DAY_MS = 86_400_000;
let club: Club;
let admin: Person;
let few: string[];
let many: string[];
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
  const { outbox, members } = club.app.parts;
  outbox.addWay("telegram", async (tx, ids) =>
    (await members.linkedAmong(tx, ids)).map((memberId) => ({ memberId, target: memberId })),
  );
  await addWebhook(club);
  few = await crowd(20);
  many = await crowd(200);
  await club.settle();
}, 120_000);
afterAll(() => club.stop());

/** Subscriptions end on different days; every second member has Telegram, every tenth a device. */
async function crowd(size: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < size; n++) {
    const person = await club.member({
      subscriptionEnd: club.clock.now().getTime() + (n + 1) * DAY_MS,
      row: { telegram_id: n % 2 === 0 ? `${size}-${n}` : null },
    });
    if (n % 10 === 0) await club.as(person).call("POST /vpn/configs", { body: await configInput(club, person) });
    ids.push(person.id);
  }
  return ids;
}

/** A claim of theirs, and the message about it in staff's Telegram. */
async function claimAsSent(id: string): Promise<void> {
  const { token } = await club.transact(async (tx) => {
    const row = await club.app.parts.members.find(tx, id);
    if (row === undefined) throw new Error(`${id} is gone`);
    return club.app.parts.auth.openSession(tx, row, "Test");
  });
  const { body } = await club.withToken(token).call("POST /payments/claim", { body: {} });
  const about = { reader_id: admin.id, kind: "payment_claimed", subject: body.claim?.id ?? "", about_id: id };
  await club.db
    .withTables<{ telegram_messages: object }>()
    .insertInto("telegram_messages")
    .values({ ...about, chat_id: "1", message_id: sentMessages++, sent_at: club.clock.now().getTime() })
    .execute();
}
let sentMessages = 0;

/** The club is in Moscow, three hours ahead of UTC. */
function moscowEndOfDay(at: number): number {
  const aheadMs = 3 * 3_600_000;
  return Math.floor((at + aheadMs) / DAY_MS) * DAY_MS + DAY_MS - 1_000 - aheadMs;
}

const statementsFor = (ids: readonly string[], input: object) =>
  statementsOf(async () => {
    const { body } = await club.as(admin).call("POST /admin/users/bulk", { body: { ids, ...input } as never });
    expect(body).toEqual({ changed: ids.toSorted(), refused: [] });
  });

/** Statements of the one transaction that changes members. */
async function statementsOf(change: () => Promise<void>): Promise<number> {
  const executor = club.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const transactions: string[][] = [];
  const spy = vi.spyOn(executor, "provideConnection").mockImplementation((consumer) =>
    provide((connection) => {
      const statements: string[] = [];
      transactions.push(statements);
      const watched = Object.create(connection) as typeof connection;
      watched.executeQuery = (query) => {
        statements.push(query.sql);
        return connection.executeQuery(query);
      };
      return consumer(watched);
    }),
  );
  await change().finally(() => spy.mockRestore());
  const [own, ...others] = transactions.filter((each) => each.some((text) => text.includes('insert into "audit"')));
  expect(others).toEqual([]);
  return own?.length ?? 0;
}

test.each([
  { action: "extend", days: 30 },
  { action: "block", blockConfigs: true },
  { action: "unblock" },
  { action: "limit", vpnConfigLimit: 5 },
  { action: "message", message: "Завтра в полночь серверы будут обновлены" },
])("$action costs as many statements for two hundred members as for twenty", async (input) => {
  const forFew = await statementsFor(few, input);
  expect(await statementsFor(many, input)).toBe(forFew);
  expect(forFew).toBeLessThan(25);
});

test("so do joining a group and leaving it", async () => {
  const { body: group } = await club.as(admin).call("POST /admin/groups", { body: { name: "Друзья" } });
  for (const action of ["join", "leave"]) {
    const forFew = await statementsFor(few, { action, groupId: group.id });
    expect(await statementsFor(many, { action, groupId: group.id })).toBe(forFew);
    expect(forFew).toBeLessThan(25);
  }
});

test("so does importing a club's members, each with a subscription, a group and a link", async () => {
  const { body: group } = await club.as(admin).call("POST /admin/groups", { body: { name: "Из файла" } });
  const add = (size: number) =>
    statementsOf(async () => {
      const members = Array.from({ length: size }, (_, n) => ({
        line: n + 2,
        username: `new-${size}-${n}`,
        subscriptionEnd: "2027-12-31",
        groups: [group.id],
      }));
      const { body } = await club.as(admin).call("POST /admin/users/import", { body: { members } });
      expect(new Set(body.invited.map(({ link }) => link)).size).toBe(size);
    });
  const forFew = await add(3);
  expect(await add(100)).toBe(forFew);
  expect(forFew).toBeLessThan(35);
});

test("so does importing an interface with its devices, whose owners are new", async () => {
  const serverId = (await club.as(admin).call("GET /admin/servers")).body[0]?.id ?? "";
  const take = (size: number) =>
    statementsOf(async () => {
      const publicKeys = Array.from({ length: size }, () => generateKeyPair().publicKey);
      const peers = publicKeys.map((key, n) => `[Peer]\nPublicKey = ${key}\nAllowedIPs = 10.${size}.0.${n + 2}/32\n`);
      const head = `[Interface]\nPrivateKey = ${generateKeyPair().privateKey}\nAddress = 10.${size}.0.1/24\n`;
      const { status } = await club.as(admin).call("POST /admin/servers/{id}/moving-in", {
        params: { id: serverId },
        body: {
          file: `${head}ListenPort = ${50_000 + size}\n${peers.join("")}`,
          devices: publicKeys.map((publicKey, n) => ({
            publicKey,
            newMember: { username: `mover-${size}-${n}` },
            name: "laptop",
            deviceType: "computer",
          })),
        },
      });
      expect(status).toBe(201);
    });
  const [before, many, after] = [await take(3), await take(60), await take(4)];
  // Each interface that is there already is looked at once, whatever its devices.
  expect(many - before).toBe(after - many);
  expect(after - many).toBeLessThan(3);
});

test("undoing confirmations costs as many statements for thirty members as for five, with quotas used up and claims that staff were sent", async () => {
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
  const undoFor = async (ids: readonly string[]) => {
    const act = String(ids.length).padStart(32, "0");
    const period = club.app.parts.clubTime.dayOf(club.clock.now().getTime()).slice(0, 7);
    await club.transact(async (tx) => {
      const used = ids.map((id, n) => [id, { bytes: 1_000 + n, last_handshake_at: 0 }] as const);
      await club.app.parts.members.quotas.addUse(tx, new Map(used));
    });
    for (const userId of ids) {
      await claimAsSent(userId);
      await club.as(admin).call("PUT /users/{id}", { params: { id: userId }, body: { quotaBytes: 1_000 } });
      await club.as(admin).call("PUT /admin/payments/status", { body: { userId, period, status: "paid", act } });
    }
    await club.settle();
    return statementsOf(async () => {
      const { body } = await club.as(admin).call("POST /admin/payments/undo", { body: { act } });
      expect(body).toMatchObject({ undone: ids.length, refused: [] });
    });
  };
  const forFew = await undoFor(few.slice(0, 5));
  expect(await undoFor(many.slice(0, 30))).toBe(forFew);
  const cut = (await club.allRows()).get("members")?.filter((row) => row.quota_used_up_until !== null);
  expect(cut).toHaveLength(35);
  const claims = await club.as(admin).call("GET /admin/payments/claims");
  expect(claims.headers.get("x-total-count")).toBe("35");
  const told = (await club.allRows()).get("notices")?.filter(({ kind }) => kind === "payment_claimed") ?? [];
  expect(told.map(({ read_at }) => read_at)).toEqual(Array(35 * 2).fill(null));
});

test("each member gets their own row, audit entry, notice with its channels, and webhook", async () => {
  const now = club.clock.now().getTime();
  const ends = [null, now + 10 * DAY_MS, now - DAY_MS, now + 40 * DAY_MS];
  const people = await Promise.all(
    ends.map((subscriptionEnd, n) =>
      club.member({ subscriptionEnd, row: { telegram_id: `own-${n}`, subscription_source: n === 3 ? "staff" : null } }),
    ),
  );
  const endless = await club.member({ row: { is_unlimited: 1 } });
  const unknown = "00000000-0000-4000-8000-000000000000";
  const ids = [...people, endless].map(({ id }) => id);
  const { body } = await club
    .as(admin)
    .call("POST /admin/users/bulk", { body: { ids: [unknown, ...ids], action: "extend", days: 30 } });
  expect(body.changed).toEqual(people.map(({ id }) => id).sort());
  expect(Object.fromEntries(body.refused.map(({ id, code }) => [id, code]))).toEqual({
    [endless.id]: "member.unlimited",
    [unknown]: "member.not_found",
  });

  const rows = await club.allRows();
  const rowsOf = (table: string, id: string, column = "member_id") =>
    (rows.get(table) ?? []).filter((row) => row[column] === id);
  for (const [n, { id }] of people.entries()) {
    const before = ends[n] ?? null;
    const until = moscowEndOfDay(Math.max(now, before ?? 0) + 30 * DAY_MS);
    const isNewSource = n !== 3;
    expect(rowsOf("members", id, "id")).toMatchObject([{ subscription_end: until, subscription_source: "staff" }]);
    expect(await auditOf(club, id)).toEqual([
      {
        actorId: admin.id,
        action: "member.changed",
        before: { subscription_end: before, ...(isNewSource && { subscription_source: null }) },
        after: { subscription_end: until, ...(isNewSource && { subscription_source: "staff" }) },
      },
    ]);
    const [notice, ...others] = rowsOf("notices", id);
    expect(others).toEqual([]);
    expect(Date.parse(JSON.parse(String(notice?.params)).until)).toBe(until);
    expect(rowsOf("outbox", id)).toMatchObject([{ notice_id: notice?.id, target: id }]);
    const told = rowsOf("webhook_events", id);
    expect(told.map(({ type, data }) => [type, JSON.parse(String(data))])).toEqual([
      ["subscription.extended", { memberId: id, until: new Date(until).toISOString() }],
    ]);
    expect(rowsOf("webhook_deliveries", String(told[0]?.id), "event_id")).toHaveLength(1);
  }
  for (const table of ["notices", "outbox"]) expect(rowsOf(table, endless.id)).toEqual([]);
  expect(await auditOf(club, endless.id)).toEqual([]);
});

test("a block ends the sessions and marks the devices of blocked members only", async () => {
  const [one, two, spared] = [await club.member(), await club.member(), await club.member()];
  for (const person of [one, two, spared])
    await club.as(person).call("POST /vpn/configs", { body: await configInput(club, person) });
  await club.as(admin).call("POST /admin/users/bulk", {
    body: { ids: [two.id, one.id, admin.id], action: "block", blockConfigs: true },
  });
  const rows = await club.allRows();
  const seen = (person: Person) => ({
    sessions: (rows.get("sessions") ?? []).filter((row) => row.member_id === person.id).length,
    blocked: (rows.get("configs") ?? []).filter((row) => row.member_id === person.id).map((row) => row.is_blocked),
  });
  for (const person of [one, two]) expect(seen(person)).toEqual({ sessions: 0, blocked: [1] });
  expect(seen(spared)).toEqual({ sessions: 1, blocked: [0] });
  expect((await club.as(admin).call("GET /auth/me")).status).toBe(200);
  await club.settle();
  expect((await club.as(spared).call("GET /vpn/configs")).body[0]?.state).toBe("applied");
});

test("if nobody matches, nobody is changed", async () => {
  const body = { matching: { q: "nobody-is-called-so" }, after: null, action: "extend" as const, days: 30 };
  const answer = await club.as(admin).call("POST /admin/users/bulk/matching", { body });
  expect(answer.body).toEqual({ changed: 0, refused: [], after: null });
});

test("applying a template, whose quota is used up, costs as many statements for two hundred members as for twenty", async () => {
  const wish = { services: [], interfaceId: null, configLimit: 4, quotaAtEnd: "slow" as const, isDefault: false };
  const templates: string[] = [];
  for (const speedMbit of [10, 20]) {
    const body = { ...wish, name: `До ${speedMbit}`, quotaBytes: 1_000, quotaSlowMbit: 2, speedMbit };
    templates.push((await club.as(admin).call("POST /admin/templates", { body })).body.id);
  }
  await club.transact(async (tx) => {
    const used = [...few, ...many].map((id) => [id, { bytes: 2_000, last_handshake_at: 0 }] as const);
    await club.app.parts.members.quotas.addUse(tx, new Map(used));
  });
  for (const templateId of templates) {
    const forFew = await statementsFor(few, { action: "template", templateId });
    // One or two belong to whoever asks first.
    expect(await statementsFor(many, { action: "template", templateId })).toBeLessThanOrEqual(forFew + 2);
    expect(forFew).toBeLessThan(40);
  }
  const { body } = await club.as(admin).call("GET /users/{id}", { params: { id: many[7] ?? "" } });
  expect(body).toMatchObject({ vpnConfigLimit: 4, quotaBytes: 1_000, quotaAtEnd: "slow", speedMbit: 20 });
  expect((await club.app.parts.members.speedLimits(club.db)).get(many[7] ?? "")).toBe(2);
  const begun = await club.app.parts.templates.begunWith(club.db, many[7] ?? "");
  expect(begun?.name).toBe("До 20");
});
