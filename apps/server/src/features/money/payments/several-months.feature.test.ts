import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* One payment for several months (decisions, section 5; ADR 169). The club's clock is at noon of 21 November 2026 in Moscow. */
const DAY_MS = 86_400_000;
const iso = (day: string) => `${day}T23:59:59.000+03:00`;
const endOf = (day: string) => Date.parse(iso(day));

let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  admin = await club.admin();
  anna = await club.member({ subscriptionEnd: endOf("2026-12-12") });
  await prices({ price: "300", price3: "800.01", price12: "2500" });
});

const prices = (body: object) => club.as(admin).call("PUT /admin/payments/settings", { body });
const claim = (months: 1 | 3 | 6 | 12, who = anna) => club.as(who).call("POST /payments/claim", { body: { months } });
const set = (status: string, more: object = {}, who = anna, period = "2026-11", by = admin) =>
  club.as(by).call("PUT /admin/payments/status", { body: { userId: who.id, status, period, ...more } as never });
const own = async (who = anna) => (await club.as(who).call("GET /payments/own")).body;
const enter = async (person: Person): Promise<Person> => {
  const { token } = await club.transact(async (tx) => {
    const row = await club.app.parts.members.find(tx, person.id);
    if (row === undefined) throw new Error("they are gone");
    return club.app.parts.auth.openSession(tx, row, "Test");
  });
  return { ...person, token };
};
/** Sessions end meanwhile. */
const pass = async (days: number) => {
  club.clock.advance(days * DAY_MS);
  [admin, anna] = [await club.admin(), await enter(anna)];
};
const endFor = async (who = anna) =>
  (await club.as(who).call("GET /users/{id}", { params: { id: who.id } })).body.subscriptionEnd;
const monthsOf = async (who = anna) =>
  (await own(who)).history.map(({ period, status, amount, paidMonths, grantedUntil }) => [
    period,
    status,
    amount,
    paidMonths,
    grantedUntil?.slice(0, 10) ?? null,
  ]);
const inQueue = async () => (await club.as(admin).call("GET /admin/payments/claims")).body;
const summary = async (period: string) =>
  (await club.as(admin).call("GET /admin/payments/summary/{period}", { params: { period } })).body;

const THREE = [
  ["2027-01", "paid", "266.67", 3, "2027-03-12"],
  ["2026-12", "paid", "266.67", 3, "2027-02-12"],
  ["2026-11", "paid", "266.67", 3, "2027-01-12"],
];

describe("a payment for several months", () => {
  test("is offered at its price; what has none is not, and nothing is claimed", async () => {
    expect((await own()).offers).toEqual([
      { months: 3, amount: "800.01", currency: "RUB", extendsTo: iso("2027-03-12") },
      { months: 12, amount: "2500", currency: "RUB", extendsTo: iso("2027-12-12") },
    ]);
    expect((await claim(6)).code).toBe("payment.length_not_offered");
    expect(await inQueue()).toEqual([]);
  });

  test("confirmed, it records each month with its share and grants exactly these", async () => {
    expect((await claim(3)).body.claim).toMatchObject({ state: "waiting", months: 3 });
    // What the member was shown is what they paid.
    await prices({ price3: "900" });
    const [waiting] = await inQueue();
    expect(waiting).toMatchObject({ months: 3, amount: "800.01", period: "2026-11", grantsUntil: iso("2027-03-12") });
    const { id: claimId = "" } = waiting ?? {};
    const seen = { expected: { claimId, status: "pending", subscriptionEnd: iso("2026-12-12") } };
    expect((await set("paid", seen)).body).toMatchObject({ amount: "266.67", paidMonths: 3 });
    expect(await monthsOf()).toEqual(THREE);
    expect(await endFor()).toBe(iso("2027-03-12"));
    // Repeated, it changes nothing.
    await set("paid");
    expect(await monthsOf()).toEqual(THREE);
    expect(await inQueue()).toEqual([]);
    const entry = (await club.as(admin).call("GET /admin/audit", { query: { action: "payment.status_set" } })).body;
    expect(entry).toHaveLength(1);
    expect(entry[0]?.after).toMatchObject({ amount: 80_001, months: 3, subscriptionEnd: iso("2027-03-12") });
  });

  test("its months are paid when they begin, and shown ahead before", async () => {
    await set("paid", { months: 3 });
    expect(await summary("2026-11")).toMatchObject({ lastPeriod: "2027-01", counts: { paid: 1 } });
    const page = await club
      .as(admin)
      .call("GET /admin/payments/history/{period}", { params: { period: "2027-01" }, query: { status: "paid" } });
    expect(page.body).toMatchObject([{ userId: anna.id, amount: "266.67", paidMonths: 3 }]);
    await pass(20);
    expect(await own()).toMatchObject({ canClaim: false, current: { period: "2026-12", status: "paid" } });
    expect(await summary("2026-12")).toMatchObject({ counts: { paid: 1 } });
    expect((await claim(1)).code).toBe("payment.already_settled");
    // A note keeps the months ahead settled.
    await set("paid", { note: "перевод" }, anna, "2026-12");
    await pass(30);
    const pending = await club
      .as(admin)
      .call("GET /admin/payments/history/{period}", { params: { period: "2027-01" }, query: { status: "pending" } });
    expect(pending.body.map(({ userId }) => userId)).not.toContain(anna.id);
  });

  test.each([
    ["in its first month", 0, "2026-11", [["2026-11", "overdue", "300", 1, null]]],
    [
      "in a later one",
      20,
      "2026-12",
      [
        ["2026-12", "overdue", "300", 1, null],
        ["2026-11", "overdue", "300", 1, null],
      ],
    ],
  ])("taken back %s, it takes exactly what it gave, and can be paid again", async (_when, days, period, left) => {
    await set("paid", { months: 3 });
    await pass(days);
    const { choices } = (await club.as(admin).call("GET /admin/payments/members/{id}", { params: { id: anna.id } }))
      .body;
    expect(choices.find(({ status }) => status === "overdue")?.effect).toEqual({
      kind: "take back",
      from: iso("2027-03-12"),
      until: iso("2026-12-12"),
      months: 3,
    });
    expect(choices.find(({ status }) => status === "not_required")?.refusal?.code).toBe("payment.transition");
    expect((await set("not_required", {}, anna, String(period))).code).toBe("payment.transition");
    await set("overdue", {}, anna, String(period));
    expect(await monthsOf()).toEqual(left);
    expect(await endFor()).toBe(iso("2026-12-12"));
    expect(await summary("2027-01")).toMatchObject({ counts: { paid: 0 }, received: [] });
    await set("paid", { months: 12 }, anna, String(period));
    expect(await endFor()).toBe(iso("2027-12-12"));
  });

  test("taken back after the end was edited, it takes the granted time", async () => {
    await set("paid", { months: 3 });
    await club.as(admin).call("PUT /users/{id}", { params: { id: anna.id }, body: { subscriptionEnd: "2027-04-12" } });
    await set("overdue");
    expect(await endFor()).toBe(iso("2027-01-12"));
  });

  test("only the first month can be unpaid: after a single one, several are refused", async () => {
    await set("paid");
    expect((await set("paid", { months: 3 })).code).toBe("payment.already_settled");
    expect(await monthsOf()).toEqual([["2026-11", "paid", "300", 1, "2027-01-12"]]);
  });
});

describe("races", () => {
  test("of staff who confirm at once, in whatever lengths, one does", async () => {
    await claim(3);
    const answers = await Promise.all([
      set("paid"),
      set("paid", { months: 3 }),
      set("paid"),
      set("paid", { months: 3 }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await monthsOf()).toEqual(THREE);
  });

  test("a claim withdrawn meanwhile, or replaced by one of another length, is not confirmed", async () => {
    await claim(3);
    const seen = { expected: { claimId: (await inQueue())[0]?.id ?? null } };
    await club.as(anna).call("DELETE /payments/claim");
    expect((await set("paid", seen)).code).toBe("payment.changed_meanwhile");
    await claim(12);
    expect((await set("paid", seen)).code).toBe("payment.changed_meanwhile");
    expect(await monthsOf()).toEqual([]);
  });

  test("a withdrawal during a confirmation leaves either the payment or nothing", async () => {
    for (const who of await Promise.all(Array.from({ length: 4 }, () => club.member({ subscriptionEnd: null })))) {
      const { claim: made } = (await claim(3, who)).body;
      const [confirmed] = await Promise.all([
        set("paid", { expected: { claimId: made?.id ?? null } }, who),
        club.as(who).call("DELETE /payments/claim"),
      ]);
      expect(await monthsOf(who)).toHaveLength(confirmed.status === 200 ? 3 : 0);
      expect((await endFor(who)) === null).toBe(confirmed.status !== 200);
    }
  });
});

test("revenue has the money in the month it came, and in the months that it is for", async () => {
  await set("paid", { months: 3 });
  await pass(40);
  const months = (await club.as(admin).call("GET /admin/payments/revenue")).body;
  const shown = months.slice(-2).map(({ period, received, cameIn }) => ({ period, received, cameIn }));
  const rub = (amount: string) => [{ amount, currency: "RUB" }];
  expect(shown).toEqual([
    { period: "2026-11", received: rub("266.67"), cameIn: rub("800.01") },
    { period: "2026-12", received: rub("266.67"), cameIn: [] },
  ]);
});

describe("while the current month is paid", () => {
  const AHEAD = [
    ["2027-02", "paid", "266.67", 3, "2027-04-12"],
    ["2027-01", "paid", "266.67", 3, "2027-03-12"],
    ["2026-12", "paid", "266.67", 3, "2027-02-12"],
  ];
  const NOVEMBER = ["2026-11", "paid", "300", 1, "2027-01-12"];
  beforeEach(() => set("paid"));

  test("a member pays several months ahead; a confirmation records the months after and leaves the paid one", async () => {
    expect(await own()).toMatchObject({ canClaim: false, offers: [{ months: 3, extendsTo: iso("2027-04-12") }, {}] });
    expect((await claim(1)).code).toBe("payment.already_settled");
    expect((await claim(3)).body.claim).toMatchObject({ state: "waiting", months: 3 });
    expect(await inQueue()).toMatchObject([{ months: 3, amount: "800.01", grantsUntil: iso("2027-04-12") }]);
    await set("paid");
    expect(await monthsOf()).toEqual([...AHEAD, NOVEMBER]);
    expect(await endFor()).toBe(iso("2027-04-12"));
    expect(await own()).toMatchObject({ claim: null });
    // A second press finds no claim and changes nothing.
    expect((await set("paid")).status).toBe(200);
    expect(await endFor()).toBe(iso("2027-04-12"));
  });

  test("staff record months ahead by what they saw of the end, so that a repeated call adds nothing", async () => {
    const ahead = { months: 3, ahead: true };
    expect((await set("paid", ahead)).code).toBe("payment.changed_meanwhile");
    const expected = { subscriptionEnd: await endFor() };
    expect((await set("paid", { ...ahead, expected, note: "наличными" })).body).toMatchObject({ period: "2026-11" });
    expect((await set("paid", { ...ahead, expected })).code).toBe("payment.changed_meanwhile");
    expect(await monthsOf()).toEqual([...AHEAD, NOVEMBER]);
    expect((await summary("2026-12")).received).toEqual([{ amount: "266.67", currency: "RUB" }]);
    const now = { subscriptionEnd: await endFor() };
    expect((await set("paid", { months: 1, ahead: true, expected: now })).code).toBe("payment.already_settled");
  });

  test("taking the current month back leaves what was paid ahead, and a claim for it waits on", async () => {
    await set("paid", { months: 3, ahead: true, expected: { subscriptionEnd: await endFor() } });
    await claim(12);
    await set("overdue");
    expect(await endFor()).toBe(iso("2027-03-12"));
    expect((await monthsOf()).map(([period, status]) => [period, status])).toEqual([
      ["2027-02", "paid"],
      ["2027-01", "paid"],
      ["2026-12", "paid"],
      ["2026-11", "overdue"],
    ]);
    expect(await inQueue()).toMatchObject([{ months: 12 }]);
  });

  test("what was paid ahead is taken back before it begins, as a whole, from any of its months, and nothing else is", async () => {
    const before = [await endFor(), await summary("2026-11")];
    await set("paid", { months: 3, ahead: true, expected: { subscriptionEnd: await endFor() } });
    await claim(12);
    expect((await set("overdue", {}, anna, "2026-10")).code).toBe("payment.not_current_month");
    expect((await set("not_required", {}, anna, "2027-01")).code).toBe("payment.not_current_month");
    const asked = { params: { id: anna.id }, query: { period: "2027-01" } };
    const { current, choices } = (await club.as(admin).call("GET /admin/payments/members/{id}", asked)).body;
    expect(current).toMatchObject({ period: "2027-01", status: "paid", paidMonths: 3 });
    expect(choices.find(({ status }) => status === "overdue")).toEqual({
      status: "overdue",
      refusal: null,
      effect: { kind: "take back", from: iso("2027-04-12"), until: iso("2027-01-12"), months: 3 },
    });
    expect((await set("overdue", {}, anna, "2027-01")).body).toMatchObject({
      period: "2027-01",
      status: "pending",
      id: null,
    });
    expect(await monthsOf()).toEqual([NOVEMBER]);
    expect([await endFor(), await summary("2026-11")]).toEqual(before);
    expect(await own()).toMatchObject({ current: { status: "paid" }, claim: { months: 12 } });
    const notices = (await club.as(anna).call("GET /inbox")).body;
    expect(notices.filter(({ kind }) => kind === "payment_taken_back")).toHaveLength(1);
    // December is to be paid again.
    await pass(20);
    const pending = await club
      .as(admin)
      .call("GET /admin/payments/history/{period}", { params: { period: "2026-12" }, query: { status: "pending" } });
    expect(pending.body.map(({ userId }) => userId)).toContain(anna.id);
  });

  test("the payment before one made ahead is taken back by itself, and the months between are to be paid", async () => {
    await set("overdue");
    await set("paid", { months: 3 });
    await set("paid", { months: 3, ahead: true, expected: { subscriptionEnd: await endFor() } });
    await set("overdue");
    expect((await monthsOf()).map(([period, status]) => [period, status])).toEqual([
      ["2027-04", "paid"],
      ["2027-03", "paid"],
      ["2027-02", "paid"],
      ["2026-11", "overdue"],
    ]);
    // As many days earlier as its three months had.
    expect(await endFor()).toBe(iso("2027-03-14"));
    const pendingIn = async (period: string) => {
      const query = { status: "pending" as const };
      const { body } = await club.as(admin).call("GET /admin/payments/history/{period}", { params: { period }, query });
      return body.some(({ userId }) => userId === anna.id);
    };
    await pass(20);
    expect(await pendingIn("2026-12")).toBe(true);
    await pass(70);
    expect(await pendingIn("2027-02")).toBe(false);
    expect(await set("overdue", {}, anna, "2027-02")).toMatchObject({ status: 200 });
    expect(await endFor()).toBe(iso("2026-12-12"));
  });
});
