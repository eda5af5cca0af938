import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { useOf } from "./use.ts";

const DAY_MS = 86_400_000;

let club: Club;
let admin: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin({ username: "chief", row: { display_name: "Глава" } });
});
// A member may make sixty creations a minute.
beforeEach(() => club.clock.advance(61_000));
afterAll(() => club.stop());

type Query = { q?: string; sort?: string; order?: string; state?: string; as?: string; limit?: number } & Record<
  string,
  unknown
>;
const list = async (query: Query, who = admin) =>
  (await club.as(who).call("GET /users", { query: query as never })).body.map(({ username }) => username);
const counts = async (query: Query, who = admin) =>
  (await club.as(who).call("GET /admin/users/counts", { query: query as never })).body;

/** Lets a device send traffic, which is then counted as in production. */
async function useDevice(member: Person, name: string, bytes: { rx: number; tx: number }) {
  const { body } = await club.as(member).call("POST /vpn/configs", { body: await deviceOf(member, name) });
  await club.settle();
  const [row] = await club.app.parts.configs.byIds(club.db, [body.id]);
  club.host.use(row?.public_key ?? "", bytes, club.clock.now().getTime());
  await club.app.lookAtServers();
  await club.settle();
  return body.id;
}

async function deviceOf(member: Person, name: string) {
  const as = club.as(member);
  const [services, dns] = await Promise.all([as.call("GET /services"), as.call("GET /dns")]);
  return {
    name,
    deviceType: "computer" as const,
    services: [services.body[0]?.id ?? ""],
    dns: dns.body[0]?.id ?? "",
  };
}

describe("a search for a whole login", () => {
  test("finds that member first and once, however many other logins contain it, in pages that lose nobody", async () => {
    for (const username of ["petr_2", ...Array.from({ length: 8 }, (_, n) => `petr_2${n}`)])
      await club.member({ username, row: { display_name: username === "petr_2" ? "Яков" : "Пётр" } });
    expect((await list({ q: "petr_2" }))[0]).toBe("petr_2");
    expect((await list({ q: " @PETR_2 " }))[0]).toBe("petr_2");
    for (const limit of [1, 2, 4]) {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const { body, headers } = await club
          .as(admin)
          .call("GET /users", { query: { q: "petr_2", limit, ...(cursor === undefined ? {} : { cursor }) } });
        read.push(...body.map(({ username }) => username));
        cursor = headers.get("x-next-cursor") ?? undefined;
      } while (cursor !== undefined);
      expect(read).toEqual(["petr_2", ...Array.from({ length: 8 }, (_, n) => `petr_2${n}`)]);
    }
    const newest = await list({ q: "petr_2", sort: "createdAt", order: "desc", limit: 9 });
    expect([newest[0], new Set(newest).size]).toEqual(["petr_2", 9]);
    expect(await list({ q: "petr_2", limit: 3, skip: 3 })).toEqual(["petr_22", "petr_23", "petr_24"]);
    const found = await club.as(admin).call("GET /admin/search", { query: { q: "@petr_2" } });
    expect(found.body.members[0]?.username).toBe("petr_2");
  });

  test("finds nobody excluded by the filter", async () => {
    await club.member({ username: "rita", row: { is_active: 0 } });
    await club.member({ username: "rita-2" });
    expect(await list({ q: "rita", state: "active" })).toEqual(["rita-2"]);
  });
});

describe("sorting", () => {
  test.each([
    ["name", ["order-a", "order-b", "order-c"]],
    ["createdAt", ["order-c", "order-a", "order-b"]],
    // No subscription, then the soonest end, then unlimited.
    ["subscription", ["order-b", "order-c", "order-a"]],
  ])("by %s, in both directions, in pages that lose nobody", async (sort, expected) => {
    const at = club.clock.now().getTime();
    if ((await list({ q: "order-" })).length === 0) {
      await club.member({ username: "order-a", row: { created_at: at - 2 * DAY_MS, is_unlimited: 1 } });
      await club.member({ username: "order-b", subscriptionEnd: null, row: { created_at: at - DAY_MS } });
      await club.member({ username: "order-c", row: { created_at: at - 3 * DAY_MS } });
    }
    for (const order of ["asc", "desc"] as const) {
      const read: string[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, unknown> = { q: "order-", sort, order, limit: 1, ...(cursor ? { cursor } : {}) };
        const page = await club.as(admin).call("GET /users", { query: query as never });
        read.push(...page.body.map(({ username }) => username));
        cursor = page.headers.get("x-next-cursor");
      } while (cursor !== null);
      expect(read).toEqual(order === "asc" ? expected : expected.toReversed());
    }
  });

  test("by display name, then by username, in pages that lose nobody", async () => {
    const shown = [
      ["by-name-9", "Аня"],
      ["by-name-1", "яна"],
      ["by-name-5", "Ёлка"],
      ["by-name-7", "Жан"],
      ["by-name-2", "Жан"],
    ] as const;
    for (const [username, display_name] of shown) await club.member({ username, row: { display_name } });
    const expected = ["by-name-9", "by-name-5", "by-name-2", "by-name-7", "by-name-1"];
    for (const order of ["asc", "desc"]) {
      const read: string[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, unknown> = { q: "by-name-", order, limit: 1, ...(cursor ? { cursor } : {}) };
        const page = await club.as(admin).call("GET /users", { query: query as never });
        read.push(...page.body.map(({ username }) => username));
        cursor = page.headers.get("x-next-cursor");
      } while (cursor !== null);
      expect(read).toEqual(order === "asc" ? expected : expected.toReversed());
    }
  });

  test("members with equal keys are neither lost nor repeated", async () => {
    const joined = club.clock.now().getTime();
    for (const n of [1, 2, 3, 4, 5]) await club.member({ username: `same-${n}`, row: { created_at: joined } });
    const read: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, unknown> = {
        q: "same-",
        sort: "monthBytes",
        order: "desc",
        limit: 2,
        ...(cursor ? { cursor } : {}),
      };
      const page = await club.as(admin).call("GET /users", { query: query as never });
      read.push(...page.body.map(({ username }) => username));
      cursor = page.headers.get("x-next-cursor");
    } while (cursor !== null);
    expect(read.sort()).toEqual(["same-1", "same-2", "same-3", "same-4", "same-5"]);
  });

  test("a page can be opened by its offset, and the last one takes a few extra rows", async () => {
    for (const n of [1, 2, 3, 4, 5]) await club.member({ username: `place-${n}` });
    const page = async (query: object) => {
      const { body, headers } = await club.as(admin).call("GET /users", { query: { q: "place-", ...query } as never });
      return [body.map(({ username }) => username.at(-1)).join(""), headers.get("x-next-cursor") !== null];
    };
    expect(await page({ limit: 2, skip: 2 })).toEqual(["34", true]);
    expect(await page({ limit: 2, skip: 4 })).toEqual(["5", false]);
    expect(await page({ limit: 2, skip: 2, spare: 1 })).toEqual(["345", false]);
    expect(await page({ limit: 2, spare: 1 })).toEqual(["12", true]);
    expect(await page({ limit: 4, spare: 1 })).toEqual(["12345", false]);
    const { headers } = await club.as(admin).call("GET /users", { query: { q: "place-", limit: 2, skip: 4 } as never });
    expect(headers.get("x-total-count"), "the whole list").toBe("5");
  });

  test("a broken cursor, or one of another order, is refused by field name", async () => {
    for (const cursor of ["x", "WzFd", Buffer.from('["a","b"]').toString("base64url")]) {
      const answer = await club.as(admin).send("GET", `/api/users?sort=monthBytes&cursor=${cursor}`);
      expect([answer.status, answer.code]).toEqual([400, "request.invalid"]);
      expect(answer.message).toContain("cursor");
    }
  });
});

describe("a member's usage", () => {
  test("grows with each count of traffic, which also updates the last handshake", async () => {
    const anna = await club.member({ username: "use-anna" });
    const boris = await club.member({ username: "use-boris" });
    await useDevice(anna, "phone", { rx: 100, tx: 900 });
    await useDevice(anna, "laptop", { rx: 10, tx: 90 });
    const last = club.clock.now().getTime();
    await useDevice(boris, "phone", { rx: 1, tx: 1 });
    const rows = (await club.as(admin).call("GET /users", { query: { q: "use-", sort: "monthBytes", order: "desc" } }))
      .body;
    expect(rows.map(({ username, configCount, monthBytes }) => [username, configCount, monthBytes])).toEqual([
      ["use-anna", 2, 1_100],
      ["use-boris", 1, 2],
    ]);
    expect(rows[0]?.lastHandshake).toBe(last);
    club.clock.advance(60_000);
    expect(await list({ q: "use-", sort: "lastHandshake", order: "desc" })).toHaveLength(2);
  });

  test("still includes deleted devices", async () => {
    const lev = await club.member({ username: "gone-lev" });
    const id = await useDevice(lev, "phone", { rx: 7, tx: 7 });
    await club.as(lev).call("DELETE /vpn/configs/{id}", { params: { id } });
    const [row] = (await club.as(admin).call("GET /users", { query: { q: "gone-" } })).body;
    expect([row?.configCount, row?.monthBytes]).toEqual([0, 14]);
  });
});

describe("counts", () => {
  test("say how many of the found members are active and blocked, with VIP members for admins only", async () => {
    const moderator = await club.moderator({ username: "mod-counts" });
    await club.member({ username: "count-a" });
    await club.member({ username: "count-b", row: { is_active: 0 } });
    await club.member({ username: "count-c", row: { is_vip: 1 } });
    expect(await counts({ q: "count-" })).toEqual({ all: 3, active: 2, blocked: 1 });
    expect(await counts({ q: "count-" }, moderator)).toEqual({ all: 2, active: 1, blocked: 1 });
    expect(await counts({ q: "count-", as: "moderator" }), "an admin viewing as a moderator").toEqual({
      all: 2,
      active: 1,
      blocked: 1,
    });
    expect(await list({ q: "count-", as: "moderator" })).toEqual(["count-a", "count-b"]);
  });
});

describe("the days", () => {
  test("when a calendar day of the club is over, usage older than 30 days no longer counts", async () => {
    const vera = await club.member({ username: "days-vera" });
    const id = await useDevice(vera, "phone", { rx: 5, tx: 5 });
    const day = (daysAgo: number) => club.app.parts.clubTime.dayOf(club.clock.now().getTime() - daysAgo * DAY_MS);
    await club.transact((tx) =>
      tx
        .withTables<{ traffic_daily: { config_id: string; day: string; rx: number; tx: number } }>()
        .insertInto("traffic_daily")
        .values([
          { config_id: id, day: day(29), rx: 100, tx: 0 },
          { config_id: id, day: day(30), rx: 1_000, tx: 0 },
        ])
        .execute(),
    );
    const month = async () => (await useOf(club.db, vera.id)).month_bytes;
    expect(await month(), "the day is not over").toBe(10);
    await club.app.parts.memberUsage.countDays();
    expect(await month()).toBe(110);
    club.clock.advance(DAY_MS);
    await club.app.parts.memberUsage.countDays();
    expect(await month()).toBe(10);
    club.clock.advance(40 * DAY_MS);
    await club.app.parts.memberUsage.countDays();
    expect(await month()).toBe(0);
  });
});

describe("searching", () => {
  test("words are found in any order, with е for ё, and in look-alike letters of the other alphabet", async () => {
    // The clock advanced by hours above, so unused sessions have ended.
    const admin = await club.admin();
    await club.member({ username: "search-koroleva", row: { display_name: "Алёна Королёва" } });
    const found = async (q: string) => (await list({ q }, admin)).includes("search-koroleva");
    for (const q of ["королева алена", "АЛЁНА КОРОЛ", "search-kor алён", "  королёва  "])
      expect([q, await found(q)]).toEqual([q, true]);
    await club.member({ username: "search-rosa", row: { display_name: "Роса" } });
    for (const q of ["poca", "роса"]) expect([q, await list({ q }, admin)]).toEqual([q, ["search-rosa"]]);
    for (const q of ["королева борис", "королевы"]) expect([q, await found(q)]).toEqual([q, false]);
    expect(await list({ q: "100%_\\" }, admin)).toEqual([]);
  });
});

describe("filters", () => {
  test("find and count members by subscription end, by role and by devices", async () => {
    // The clock advanced by hours above, so unused sessions have ended.
    const admin = await club.admin();
    const now = club.clock.now().getTime();
    const person = (name: string, subscriptionEnd: number | null, row: object = {}) =>
      club.member({ username: `filter-${name}`, subscriptionEnd, row });
    await person("soon", now + 7 * DAY_MS, { subscription_source: "payment" });
    await person("later", now + 7 * DAY_MS + 1, { subscription_source: "payment" });
    await person("ended", now, { subscription_source: "payment" });
    await person("earned", now - DAY_MS, { subscription_source: "payment", referral_earned_at: now });
    await person("trial", now + 3 * DAY_MS, { subscription_source: "trial" });
    await person("past-trial", now - 1, { subscription_source: "trial" });
    await person("never", null, { subscription_source: null });
    await person("endless", now + DAY_MS, { is_unlimited: 1, subscription_source: "trial" });
    await person("helper", now + 90 * DAY_MS, { role: "moderator", config_limit: -1 });
    const full = await person("full", now + 90 * DAY_MS, { config_limit: 1 });
    await useDevice(full, "phone", { rx: 1, tx: 1 });

    const expected: [Record<string, string>, string[]][] = [
      [{ ends: "soon" }, ["soon", "trial"]],
      [{ ends: "ended" }, ["ended", "past-trial"]],
      [{ ends: "trial" }, ["trial"]],
      [{ ends: "unlimited" }, ["endless"]],
      [{ role: "moderator" }, ["helper"]],
      [{ devices: "online" }, ["full"]],
      [{ devices: "full" }, ["full"]],
      [{ devices: "full", ends: "trial" }, []],
      [{ ends: "soon", role: "user", state: "active" }, ["soon", "trial"]],
    ];
    for (const [filter, names] of expected)
      for (const sort of ["name", "subscription", "lastHandshake"]) {
        const query = { q: "filter-", sort, ...filter };
        expect([filter, sort, (await list(query, admin)).sort()]).toEqual([
          filter,
          sort,
          names.map((name) => `filter-${name}`).sort(),
        ]);
        const { sort: _, ...counted } = query;
        expect([filter, (await counts(counted, admin)).all]).toEqual([filter, names.length]);
      }
    club.clock.advance(5 * 60_000 + 1);
    expect(await list({ q: "filter-", devices: "online" }, admin)).toEqual([]);
  });
});
