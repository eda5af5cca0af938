import { type ServerResponse, request as send } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { configInput } from "../../../testing/config-input.ts";
import { clubWithBot } from "../../../testing/link-telegram.ts";
import { type Answer, type Club, type Person, startClub } from "../../../testing/start-club.ts";
import { openSqlite } from "../database/sqlite.ts";
import { makeRepeats } from "./repeats.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PATIENCE = { timeout: 30_000, interval: 5 };
const PATHS = ["/api/auth/me", "/api/vpn/configs"];

type Headers = Record<string, string>;
type Asked = Answer & { isRepeated: boolean };

/** A club with a member who has a device. Its answers are repeated as in production, without asking in full first. */
async function aClub() {
  const club = await startClub();
  onTestFinished(() => club.stop());
  club.app.repeats.checkBy(null);
  const admin = await club.admin();
  const subscriptionEnd = club.clock.now().getTime() + 10 * DAY_MS;
  const anna = await club.member({ configLimit: 9, subscriptionEnd });
  const body = await configInput(club, anna, { name: "phone" });
  await club.as(anna).call("POST /vpn/configs", { body });
  await club.settle();
  return { club, admin, anna };
}

async function asked(club: Club, answer: () => Promise<Answer>): Promise<Asked> {
  const { repeats } = club.app;
  const before = repeats.lastAt();
  const found = await answer();
  return { ...found, isRepeated: repeats.lastAt() !== before };
}
const ask = (club: Club, person: Person, path: string, headers: Headers = {}) =>
  asked(club, () => club.as(person).send("GET", path, undefined, headers));
/** A request that was never sent before: nothing can be repeated to it. */
let unusual = 0;
const askInFull = (club: Club, person: Person, path: string) =>
  ask(club, person, path, { "x-unusual": `${++unusual}` });

/** Until the answer is repeated: a club writes now and then, and reads its settings anew each second. */
const repeated = (club: Club, person: Person, path: string, headers: Headers = {}) =>
  vi.waitFor(async () => {
    const answer = await ask(club, person, path, headers);
    expect(answer.isRepeated).toBe(true);
    return answer;
  }, PATIENCE);

/** Of every answer its own. */
const OWN = ["x-request-id", "x-club-time", "date"];
const seen = ({ status, body, headers }: Answer) => ({
  status,
  body,
  headers: Object.fromEntries([...headers].filter(([name]) => !OWN.includes(name))),
});

test.each(PATHS)("%s is repeated as it was sent in full, with a number and a time of its own", async (path) => {
  const { club, anna } = await aClub();
  const ids = new Set<string | null>();
  const full = await askInFull(club, anna, path);
  expect(full.isRepeated).toBe(false);
  for (const headers of [{}, { "if-none-match": full.headers.get("etag") ?? "" }]) {
    const first = await repeated(club, anna, path, headers);
    const second = await repeated(club, anna, path, headers);
    expect(seen(second)).toEqual(seen(first));
    if (first.status === 200) expect(seen(first)).toEqual(seen(full));
    else
      expect([first.status, first.body, first.headers.get("etag")]).toEqual([304, undefined, full.headers.get("etag")]);
    for (const { headers } of [first, second]) {
      ids.add(headers.get("x-request-id"));
      expect(headers.get("x-club-time")).toBe(String(club.clock.now().getTime()));
    }
  }
  expect([...ids].filter((id) => id?.length === 36)).toHaveLength(4);
});

describe("the very next request shows", () => {
  type Around = { club: Club; admin: Person; anna: Person };
  const changeAnna = (body: object) => (around: Around) =>
    around.club.as(around.admin).call("PUT /users/{id}", { params: { id: around.anna.id }, body: body as never });
  const signIn = async ({ club, anna: { username, password } }: Around) =>
    (await club.guest.call("POST /auth/login", { body: { username, password } })).body.token;
  /** By another process, such as the command line. */
  const elsewhere = async ({ club, anna }: Around) => {
    const other = await openSqlite(join(club.config.dataDir, "krug.db"));
    await other.transact((tx) => sql`update members set is_active = 0 where id = ${anna.id}`.execute(tx));
    await other.close();
  };

  test.each<[string, number, (around: Around) => unknown]>([
    ["a block", 401, changeAnna({ isActive: false })],
    ["a block by another process", 401, elsewhere],
    ["a new name", 200, changeAnna({ displayName: "Анна" })],
    ["a new role", 401, changeAnna({ role: "moderator" })],
    [
      "that the account is gone",
      401,
      ({ club, admin, anna }) => club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } }),
    ],
    ["a sign-out", 401, ({ club, anna }) => club.as(anna).call("POST /auth/logout")],
    [
      "that another device signed this one out",
      401,
      async (around) => around.club.withToken(await signIn(around)).call("DELETE /auth/sessions"),
    ],
    [
      "a new password",
      401,
      async (around) =>
        around.club.withToken(await signIn(around)).call("POST /users/change-password", {
          body: { currentPassword: around.anna.password, newPassword: "another battery horse" },
        }),
    ],
    ["maintenance", 503, ({ club }) => club.transact((tx) => club.app.parts.maintenance.set(tx, true, null))],
    [
      "the club's other zone",
      200,
      ({ club, admin }) =>
        club.as(admin).call("PUT /admin/settings", { body: { clubTimeZone: "Asia/Tokyo" } as never }),
    ],
    ["the session's end, which only the clock brings", 401, ({ club }) => club.clock.advance(31 * DAY_MS)],
    ["the subscription's end, which only the clock brings", 200, ({ club }) => club.clock.advance(10 * DAY_MS)],
  ])("%s", async (_what, status, change) => {
    const around = await aClub();
    const { club, anna } = around;
    // An open page asks by itself, which does not prolong its session.
    const byPage = { "x-background": "1" };
    const before = await repeated(club, anna, PATHS[0] as string, byPage);
    await repeated(club, anna, PATHS[1] as string, byPage);
    const tag = before.headers.get("etag") ?? "";
    await repeated(club, anna, PATHS[0] as string, { ...byPage, "if-none-match": tag });
    expect(await change(around)).not.toMatchObject({ body: { error: {} } });
    const after = [
      await ask(club, anna, PATHS[0] as string, byPage),
      await ask(club, anna, PATHS[0] as string, { ...byPage, "if-none-match": tag }),
      await ask(club, anna, PATHS[1] as string, byPage),
    ];
    expect(after.map(({ status }) => status)).toEqual([status, status, status]);
    expect(after[0]?.body).not.toEqual(before.body);
    expect(after[0]?.body).toEqual(after[1]?.body);
    for (const { isRepeated } of after) expect(isRepeated).toBe(false);
  });
});

test("a person's request is still recorded every five minutes, and a page's own never", async () => {
  const { club, anna } = await aClub();
  const lastSeen = async () => (await club.app.parts.auth.aliveSessions(anna.id))[0]?.last_seen_at;
  const signedInAt = await lastSeen();
  const byPage = { "x-background": "1" };
  for (const headers of [{}, byPage]) await repeated(club, anna, "/api/auth/me", headers);
  club.clock.advance(5 * MINUTE_MS + 1);
  expect((await ask(club, anna, "/api/auth/me", byPage)).status).toBe(200);
  expect(await lastSeen()).toBe(signedInAt);
  for (let times = 0; times < 2; times++) {
    await repeated(club, anna, "/api/auth/me");
    club.clock.advance(5 * MINUTE_MS + 1);
    expect((await ask(club, anna, "/api/auth/me")).isRepeated).toBe(false);
    expect(await lastSeen()).toBe(club.clock.now().getTime());
  }
});

test("a machine is read for the list as often as without", async () => {
  const { club, anna } = await aClub();
  const received = ({ body }: Answer) => (body as { stats: { dataReceived: number } }[])[0]?.stats.dataReceived;
  await repeated(club, anna, "/api/vpn/configs");
  const { rows } = await sql<{ public_key: string }>`select public_key from configs`.execute(club.db);
  club.host.use(rows[0]?.public_key ?? "", { rx: 100, tx: 9_000 }, club.clock.now().getTime());
  expect(received(await repeated(club, anna, "/api/vpn/configs"))).toBe(0);
  club.clock.advance(2_000);
  const { isRepeated, ...answer } = await ask(club, anna, "/api/vpn/configs");
  expect([isRepeated, received(answer)]).toEqual([false, 9_000]);
});

test("an answer is repeated to no other request: another header, person or path, or one with a body", async () => {
  const { club, anna, admin } = await aClub();
  const boris = await club.member();
  for (const path of PATHS) await repeated(club, anna, path);
  for (const headers of [{ "x-background": "1" }, { "accept-language": "en" }, { "if-none-match": '"other"' }])
    expect((await ask(club, anna, "/api/auth/me", headers)).isRepeated).toBe(false);
  for (const person of [boris, admin]) {
    const { isRepeated, body } = await ask(club, person, "/api/auth/me");
    expect([isRepeated, body]).toMatchObject([false, { id: person.id }]);
  }
  for (const path of ["/api/auth/me/", "/api/auth/me?x=1", "/api/vpn/configs?limit=1"])
    expect((await ask(club, anna, path)).isRepeated).toBe(false);
  const withBody = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${anna.token}`,
        "content-type": "application/json",
        "content-length": 2,
      };
      const sent = send(`${club.origin}/api/auth/me`, { headers }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      });
      sent.on("error", reject).end("{}");
    });
  const before = club.app.repeats.lastAt();
  for (const status of [await withBody(), await withBody(), await withBody(), await withBody()])
    expect(status).toBe(200);
  expect(club.app.repeats.lastAt()).toBe(before);
});

test("a call under the Mini App's path is another one, although its cookies come along with both", async () => {
  const { club } = await clubWithBot(
    { PUBLIC_URL: "https://club.example", TRUSTED_PROXIES: "127.0.0.1" },
    { localServer: "off" },
  );
  const [here, there] = [await club.member(), await club.member()];
  const headers = {
    "x-forwarded-host": "club.example",
    "x-forwarded-proto": "https",
    cookie: `__Host-krug_session=${here.token}; __Host-krug_tg_session=${there.token}`,
  };
  const get = (path: string) => asked(club, () => club.guest.send("GET", path, undefined, headers));
  for (const [path, { id }] of [
    ["/api/auth/me", here],
    ["/tg/api/auth/me", there],
    ["/api/auth/me", here],
  ] as const)
    await vi.waitFor(async () => {
      const { isRepeated, body } = await get(path);
      expect(body).toMatchObject({ id });
      expect(isRepeated).toBe(true);
    }, PATIENCE);
});

test("a panel that stops answers everything in full, so that it can say that it stops", async () => {
  const { club, anna } = await aClub();
  await repeated(club, anna, "/api/auth/me");
  club.app.repeats.end();
  for (let times = 0; times < 4; times++) expect((await ask(club, anna, "/api/auth/me")).isRepeated).toBe(false);
});

test("in other tests an answer that would be repeated although it is another now fails", async () => {
  const { club, anna } = await aClub();
  const { repeats } = club.app;
  const full = await repeated(club, anna, "/api/auth/me");
  const sent = { status: 200, headers: Object.fromEntries(full.headers), body: JSON.stringify(full.body) };
  repeats.checkBy(async () => sent);
  await repeated(club, anna, "/api/auth/me");
  for (const other of [
    { status: 201 },
    { body: "{}" },
    { headers: { ...sent.headers, etag: '"other"' } },
    { headers: {} },
  ]) {
    repeats.checkBy(null);
    await repeated(club, anna, "/api/auth/me");
    repeats.checkBy(async () => ({ ...sent, ...other }));
    await expect(ask(club, anna, "/api/auth/me")).rejects.toThrow("fetch failed");
  }
});

test("what is kept is bounded, by number and by size, and of the database as it is", async () => {
  const { club } = await aClub();
  const repeats = makeRepeats(club);
  const from = (sender: string) => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: "127.0.0.1" });
    const raw = { method: "GET", url: "/here", headers: {}, rawHeaders: ["from", sender], socket };
    return { raw, originalUrl: raw.url } as unknown as FastifyRequest;
  };
  const keep = (sender: string, bytes = 10, state = repeats.state() as object) => {
    const answer = { status: 200, headers: [], body: Buffer.alloc(bytes), route: "/here", isSameAt: () => true };
    repeats.keep(from(sender), state, answer);
  };
  const isKept = (sender: string) => {
    let isAnswered = true;
    const response = { writeHead: () => {}, end: () => {}, once: () => {} } as unknown as ServerResponse;
    repeats.answer(from(sender).raw, response, () => {
      isAnswered = false;
    });
    return isAnswered;
  };
  for (let at = 0; at < 1_000; at++) keep(`${at}`);
  expect([isKept("0"), isKept("999")]).toEqual([true, true]);
  keep("1000");
  expect([isKept("0"), isKept("999"), isKept("1000")]).toEqual([false, false, true]);
  keep("large", 7_999_000);
  expect([isKept("1000"), isKept("large")]).toEqual([true, true]);
  keep("larger", 7_000);
  expect([isKept("1000"), isKept("large"), isKept("larger")]).toEqual([false, false, true]);
  keep("too large", 8_000_001);
  keep("decided before a change", 10, {});
  expect(["larger", "too large", "decided before a change"].map(isKept)).toEqual([true, false, false]);
});

test("repeated answers are logged and timed like any other", async () => {
  const { club, anna } = await aClub();
  const told: unknown[] = [];
  club.app.repeats.onRepeated((each) => told.push(each));
  const { headers } = await repeated(club, anna, "/api/auth/me");
  const requestId = headers.get("x-request-id");
  await vi.waitFor(() =>
    expect(told).toContainEqual({ requestId, route: "/api/auth/me", status: 200, ms: expect.any(Number) }),
  );
});
