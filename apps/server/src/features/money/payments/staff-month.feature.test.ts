import type { Api } from "@krug/contract/api";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/** The club's clock is at noon of 21 November 2026 in Moscow. */
const PERIOD = "2026-11";
const DAY_MS = 86_400_000;
/** As the panel writes it: with Moscow's offset. */
const iso = (day: string) => `${day}T23:59:59.000+03:00`;
const endOf = (day: string) => Date.parse(iso(day));

async function aClub() {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  const admin = await club.admin({ username: "zoe", row: { is_unlimited: 1 } });
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта 2200" } });
  return { club, admin };
}

type Status = Api["PUT /admin/payments/status"]["body"]["status"];
const set = (club: Club, staff: Person, member: Person, status: Status, more: object = {}) =>
  club.as(staff).call("PUT /admin/payments/status", { body: { userId: member.id, status, period: PERIOD, ...more } });
const month = async (club: Club, staff: Person, query: object = {}, period = PERIOD) => {
  const { body, headers } = await club
    .as(staff)
    .call("GET /admin/payments/history/{period}", { params: { period }, query });
  return { names: body.map(({ username }) => username), total: Number(headers.get("x-total-count")), headers };
};
const summary = async (club: Club, staff: Person, query: { as?: "moderator" } = {}, period = PERIOD) =>
  (await club.as(staff).call("GET /admin/payments/summary/{period}", { params: { period }, query })).body;
const paymentsOf = async (club: Club, staff: Person, id: string, query: { as?: "moderator" } = {}) =>
  club.as(staff).call("GET /admin/payments/members/{id}", { params: { id }, query });

describe("a month's members by status", () => {
  test("each status has its members, unlimited ones apart from those who have something to pay", async () => {
    const { club, admin } = await aClub();
    const people: Record<string, Person> = {};
    for (const username of ["anna", "boris", "clara", "dina", "egor"])
      people[username] = await club.member({ username });
    const forever = await club.member({ username: "faina", row: { is_unlimited: 1 } });
    const who = (name: string) => people[name] as Person;
    await set(club, admin, who("anna"), "paid");
    await set(club, admin, who("boris"), "paid");
    await set(club, admin, who("boris"), "overdue");
    await set(club, admin, who("clara"), "not_required");
    // A note is not a decision.
    await set(club, admin, who("dina"), "pending", { note: "обещала завтра" });
    const found = async (status: string) => (await month(club, admin, { status })).names;
    expect(await found("paid")).toEqual(["anna"]);
    expect(await found("overdue")).toEqual(["boris"]);
    expect(await found("not_required")).toEqual(["clara"]);
    expect(await found("pending")).toEqual(["dina", "egor"]);
    expect(await found("unlimited")).toEqual([forever.username, "zoe"]);
    expect((await summary(club, admin)).counts).toEqual({
      all: 7,
      pending: 2,
      paid: 1,
      overdue: 1,
      not_required: 1,
      unlimited: 2,
    });
  });

  test("it is searched and paged, and the total is that of the whole list", async () => {
    const { club, admin } = await aClub();
    for (const username of ["anna", "annette", "boris", "joanna"]) {
      const member = await club.member({ username });
      if (username !== "boris") await set(club, admin, member, "paid");
    }
    const first = await month(club, admin, { status: "paid", limit: 2 });
    expect([first.names, first.total]).toEqual([["anna", "annette"], 3]);
    const cursor = first.headers.get("x-next-cursor") ?? "";
    const rest = await month(club, admin, { status: "paid", limit: 2, cursor });
    expect([rest.names, rest.total, rest.headers.get("x-next-cursor")]).toEqual([["joanna"], 3, null]);
    const searched = await month(club, admin, { status: "paid", q: "ANN", limit: 1 });
    expect([searched.names, searched.total]).toEqual([["anna"], 3]);
    expect((await month(club, admin, { status: "pending", q: "ann" })).names).toEqual([]);
  });

  test("a member who became unlimited after paying is listed as paid", async () => {
    const { club, admin } = await aClub();
    const anna = await club.member({ username: "anna" });
    await set(club, admin, anna, "paid");
    await club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { isUnlimited: true } });
    expect((await month(club, admin, { status: "paid" })).names).toEqual(["anna"]);
    expect((await month(club, admin, { status: "unlimited" })).names).toEqual(["zoe"]);
    expect((await summary(club, admin)).counts).toMatchObject({ all: 2, paid: 1, pending: 0, unlimited: 1 });
  });

  test("an earlier month has its members of that time, and keeps its statuses when the next one begins", async () => {
    const { club, admin } = await aClub();
    const anna = await club.member({ username: "anna" });
    await set(club, admin, anna, "paid");
    // 1 December in Moscow, still 30 November in Greenwich.
    club.clock.advance(Date.parse("2026-11-30T21:00:00Z") - club.clock.now().getTime());
    const later = await club.admin({ username: "yana" });
    await club.member({ username: "boris", row: { created_at: club.clock.now().getTime() } });
    expect(await summary(club, later)).toMatchObject({
      period: PERIOD,
      currentPeriod: "2026-12",
      counts: { paid: 1, pending: 0 },
      received: [{ amount: "300", currency: "RUB" }],
    });
    expect((await month(club, later)).names).not.toContain("boris");
    expect((await summary(club, later, {}, "2026-12")).counts).toMatchObject({ paid: 0, pending: 3 });
    expect((await month(club, later, { status: "pending" }, "2026-12")).names).toContain("boris");
  });
});

describe("a month's income", () => {
  test("sums are by currency, at the price that was paid; deleted members' payments are separate", async () => {
    const { club, admin } = await aClub();
    const [anna, boris, clara, dina] = [
      await club.member(),
      await club.member(),
      await club.member(),
      await club.member(),
    ];
    await set(club, admin, anna, "paid");
    await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "10.99", currency: "EUR" } });
    for (const member of [boris, clara, dina]) await set(club, admin, member, "paid");
    await set(club, admin, clara, "overdue");
    await set(club, admin, anna, "paid", { note: "наличными" });
    await club.as(admin).call("DELETE /users/{id}", { params: { id: dina.id } });
    expect(await summary(club, admin)).toMatchObject({
      counts: { paid: 2, overdue: 1 },
      received: [
        { amount: "10.99", currency: "EUR" },
        { amount: "300", currency: "RUB" },
      ],
      receivedFromDeleted: [{ amount: "10.99", currency: "EUR" }],
    });
  });

  test("VIP members are in no number, sum or list for a moderator or an admin who looks as one", async () => {
    const { club, admin } = await aClub();
    const moderator = await club.moderator({ username: "mod" });
    const plain = await club.member({ username: "plain" });
    const vip = await club.member({ username: "vip", row: { is_vip: 1 } });
    await club.member({ username: "vip-forever", row: { is_vip: 1, is_unlimited: 1 } });
    for (const member of [plain, vip]) await set(club, admin, member, "paid");
    expect((await summary(club, admin)).received).toEqual([{ amount: "600", currency: "RUB" }]);
    const asked = [
      [moderator, {}],
      [admin, { as: "moderator" as const }],
    ] as const;
    for (const [who, query] of asked) {
      expect(await summary(club, who, query)).toMatchObject({
        counts: { all: 3, paid: 1, pending: 1, unlimited: 1 },
        received: [{ amount: "300", currency: "RUB" }],
        receivedFromDeleted: [],
      });
      expect((await month(club, who, query)).names).toEqual(["mod", "plain", "zoe"]);
      expect((await month(club, who, { ...query, status: "paid" })).total).toBe(1);
      expect((await paymentsOf(club, who, vip.id, query)).code).toBe("member.not_found");
    }
  });
});

describe("the effect of a status is shown before it is set", () => {
  test("the preview matches what happens: a month granted, and taken back", async () => {
    const { club, admin } = await aClub();
    const marina = await club.member({ subscriptionEnd: endOf("2027-01-31") });
    const told = async (status: Status) =>
      (await paymentsOf(club, admin, marina.username)).body.choices.find((choice) => choice.status === status);
    expect(await told("paid")).toEqual({
      status: "paid",
      refusal: null,
      effect: { kind: "grant", from: iso("2027-01-31"), until: iso("2027-02-28"), months: 1 },
    });
    expect(await told("overdue")).toMatchObject({ effect: null });
    expect((await set(club, admin, marina, "paid")).body.subscriptionEnd).toBe(iso("2027-02-28"));
    const back = await told("overdue");
    expect(back?.effect).toMatchObject({ kind: "take back", from: iso("2027-02-28"), until: iso("2027-01-31") });
    expect((await set(club, admin, marina, "overdue")).body.subscriptionEnd).toBe(back?.effect?.until);
  });

  test("31 January comes back over the months, as shown", async () => {
    const { club, admin } = await aClub();
    const marina = await club.member({ subscriptionEnd: endOf("2027-01-31") });
    await set(club, admin, marina, "paid");
    club.clock.advance(20 * DAY_MS);
    const later = await club.admin();
    const { body } = await paymentsOf(club, later, marina.id);
    expect(body.current.period).toBe("2026-12");
    expect(body.choices.find(({ status }) => status === "paid")?.effect?.until).toBe(iso("2027-03-31"));
    expect(body.history.map(({ period }) => period)).toEqual([PERIOD]);
  });

  test("a refusal says why, in words", async () => {
    const { club, admin } = await aClub();
    const [marina, forever, moderator] = [
      await club.member(),
      await club.member({ row: { is_unlimited: 1 } }),
      await club.moderator(),
    ];
    const refusals = async (who: Person, id: string, query = {}) =>
      Object.fromEntries(
        (await paymentsOf(club, who, id, query)).body.choices.map(({ status, refusal }) => [status, refusal?.code]),
      );
    expect(await refusals(admin, marina.id)).toEqual({ paid: undefined, overdue: undefined, not_required: undefined });
    const asModerator = { paid: undefined, overdue: undefined, not_required: "auth.forbidden" };
    expect(await refusals(moderator, marina.id)).toEqual(asModerator);
    expect(await refusals(admin, marina.id, { as: "moderator" })).toEqual(asModerator);
    expect(new Set(Object.values(await refusals(admin, forever.id)))).toEqual(new Set(["payment.unlimited_member"]));
    const [choice] = (await paymentsOf(club, admin, forever.id)).body.choices;
    expect(choice?.refusal?.message).toContain("безлимитная");
  });

  test("of two staff who decide at once the second is refused, and nothing changes", async () => {
    const { club, admin } = await aClub();
    const marina = await club.member({ subscriptionEnd: endOf("2026-12-12") });
    const { current } = (await paymentsOf(club, admin, marina.id)).body;
    const expected = { status: current.status, subscriptionEnd: current.subscriptionEnd };
    expect((await set(club, admin, marina, "paid", { expected })).status).toBe(200);
    const second = await set(club, admin, marina, "overdue", { expected });
    expect([second.status, second.code]).toEqual([409, "payment.changed_meanwhile"]);
    // Repeating the same change succeeds; another note on it does not.
    expect((await set(club, admin, marina, "paid", { expected })).status).toBe(200);
    expect((await set(club, admin, marina, "paid", { expected, note: "дважды" })).code).toBe(
      "payment.changed_meanwhile",
    );
    await club
      .as(admin)
      .call("PUT /users/{id}", { params: { id: marina.id }, body: { subscriptionEnd: "2027-05-05" } });
    const stale = { status: "paid" as const, subscriptionEnd: iso("2027-01-12") };
    expect((await set(club, admin, marina, "overdue", { expected: stale })).code).toBe("payment.changed_meanwhile");
    const { subscriptionEnd } = (await club.as(admin).call("GET /users/{id}", { params: { id: marina.id } })).body;
    expect(subscriptionEnd).toBe(iso("2027-05-05"));
  });
});

test("a month is sorted by the end of subscriptions, so that who must pay now comes first", async () => {
  const { club, admin } = await aClub();
  for (const [username, end] of [
    ["anna", "2027-01-31"],
    ["boris", "2026-11-23"],
    ["clara", "2026-12-05"],
  ] as const)
    await club.member({ username, subscriptionEnd: endOf(end) });
  const soonest = { status: "pending", sort: "subscription" };
  expect((await month(club, admin, soonest)).names).toEqual(["boris", "clara", "anna"]);
  expect((await month(club, admin, { ...soonest, order: "desc" })).names).toEqual(["anna", "clara", "boris"]);
  const first = await month(club, admin, { ...soonest, limit: 2 });
  const cursor = first.headers.get("x-next-cursor") ?? "";
  expect([first.names, (await month(club, admin, { ...soonest, limit: 2, cursor })).names]).toEqual([
    ["boris", "clara"],
    ["anna"],
  ]);
});

describe("the queue", () => {
  test("shows what a confirmation will grant, also to many at once", async () => {
    const { club, admin } = await aClub();
    const [anna, boris] = [
      await club.member({ subscriptionEnd: endOf("2027-01-31") }),
      await club.member({ subscriptionEnd: endOf("2026-11-03") }),
    ];
    await set(club, admin, anna, "paid");
    club.clock.advance(20 * DAY_MS);
    const later = await club.admin();
    for (const member of [anna, boris]) {
      club.clock.advance(1_000);
      const { token } = await club.transact(async (tx) => {
        const row = await club.app.parts.members.find(tx, member.id);
        if (row === undefined) throw new Error("he is gone");
        return club.app.parts.auth.openSession(tx, row, "Test");
      });
      expect((await club.withToken(token).call("POST /payments/claim", { body: {} })).status).toBe(200);
    }
    const { body } = await club.as(later).call("GET /admin/payments/claims");
    // 28 February comes from a grant of the 31st.
    expect(body.map(({ grantsUntil }) => grantsUntil)).toEqual([iso("2027-03-31"), iso("2027-01-11")]);
    for (const claim of body) {
      const { userId, period, status, subscriptionEnd, grantsUntil } = claim;
      const answer = await club.as(later).call("PUT /admin/payments/status", {
        body: { userId, period, status: "paid", expected: { status, subscriptionEnd } },
      });
      expect(answer.body.subscriptionEnd).toBe(grantsUntil);
    }
    expect((await club.as(later).call("GET /admin/payments/claims")).body).toEqual([]);
    const { claims } = (await paymentsOf(club, later, anna.id)).body;
    expect(claims).toMatchObject([{ state: "confirmed", receipt: null }]);
  });

  test("is searched by name and login, and says what would be recorded as paid", async () => {
    const { club, admin } = await aClub();
    for (const username of ["sergey_1", "sergey_2", "boris"])
      await club
        .as(await club.member({ username, row: { display_name: "Сергей" } }))
        .call("POST /payments/claim", { body: {} });
    const found = await club.as(admin).call("GET /admin/payments/claims", { query: { q: "gey_2" } });
    expect(found.body).toMatchObject([{ username: "sergey_2", amount: "300", currency: "RUB" }]);
    expect(found.headers.get("x-total-count")).toBe("1");
    const moderator = await club.moderator();
    await club.as(admin).call("PUT /users/{id}", { params: { id: "sergey_2" }, body: { isVip: true } });
    expect((await club.as(moderator).call("GET /admin/payments/claims", { query: { q: "sergey" } })).body).toHaveLength(
      1,
    );
  });

  test("members who became unlimited since are marked: there is nothing to confirm", async () => {
    const { club, admin } = await aClub();
    const anna = await club.member();
    await club.as(anna).call("POST /payments/claim", { body: {} });
    await club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { isUnlimited: true } });
    const { body } = await club.as(admin).call("GET /admin/payments/claims");
    expect(body).toMatchObject([{ isUnlimited: true }]);
    expect((await set(club, admin, anna, "paid")).code).toBe("payment.unlimited_member");
  });
});
