import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import type { PaymentTables } from "./table.ts";

/** The club's clock is at noon of 21 November 2026 in Moscow. */
let club: Club;
let admin: Person;
let moderator: Person;
const people: Record<string, Person> = {};
const who = (name: string) => people[name] as Person;

/** A paid month as its record stores it: with the end of its grant. */
async function paid(name: string, period: string, until: string | null, amount = 30_000, currency = "RUB") {
  const at = Date.parse(`${period}-05T12:00:00Z`);
  await club.db
    .withTables<PaymentTables>()
    .insertInto("payments")
    .values({
      id: randomUUID(),
      member_id: who(name).id,
      period,
      status: "paid",
      amount,
      currency,
      due_day: `${period}-28`,
      paid_at: at,
      note: null,
      granted_from: at,
      granted_until: until === null ? null : Date.parse(`${until}T23:59:59.000+03:00`),
      granted_end_before: null,
      granted_source_before: null,
      granted_anchor_day: null,
      prepayment_id: null,
      prepayment_months: null,
      created_at: at,
      changed_at: at,
    })
    .execute();
}

beforeAll(async () => {
  club = await startClub({ localServer: "off" });
  admin = await club.admin();
  moderator = await club.moderator();
  for (const name of ["anna", "boris", "gone"]) people[name] = await club.member({ username: name });
  people.vip = await club.member({ row: { is_vip: 1 } });
  await paid("anna", "2026-08", "2026-09-05");
  await paid("anna", "2026-09", "2026-10-05");
  await paid("boris", "2026-09", "2026-10-31");
  await paid("anna", "2026-11", "2026-12-05", 1_099, "EUR");
  await paid("vip", "2026-09", "2026-10-05");
  await paid("vip", "2026-10", "2026-11-05");
  await paid("gone", "2026-09", "2026-10-20");
  await club.as(admin).call("DELETE /users/{id}", { params: { id: who("gone").id } });
  // Before the reported span: only shows that they have paid before.
  await paid("boris", "2024-01", "2024-02-05");
});
afterAll(() => club.stop());

const revenue = async (as: Person, query: { as?: "moderator" } = {}) =>
  (await club.as(as).call("GET /admin/payments/revenue", { query })).body;
const month = async (period: string, as = admin, query: { as?: "moderator" } = {}) =>
  (await revenue(as, query)).find((row) => row.period === period);

test("it reports two years up to the current month, oldest first, quiet months too", async () => {
  const rows = await revenue(admin);
  expect(rows.map(({ period }) => period)).toEqual(
    Array.from({ length: 24 }, (_, n) => new Date(Date.UTC(2024, 11 + n, 1)).toISOString().slice(0, 7)),
  );
  expect(rows[0]).toEqual({
    period: "2024-12",
    received: [],
    cameIn: [],
    gifts: 0,
    newPayers: 0,
    repeatPayers: 0,
    ended: 0,
    paidAgain: 0,
  });
});

test("sums are by currency, and first payments are separate from later ones", async () => {
  expect(await month("2026-08")).toMatchObject({
    received: [{ amount: "300", currency: "RUB" }],
    newPayers: 1,
    repeatPayers: 0,
  });
  expect(
    await month("2026-09"),
    "anna and boris had paid before; the VIP member and the deleted one had not",
  ).toMatchObject({
    received: [{ amount: "1200", currency: "RUB" }],
    newPayers: 2,
    repeatPayers: 2,
  });
  expect(await month("2026-11")).toMatchObject({
    received: [{ amount: "10.99", currency: "EUR" }],
    newPayers: 0,
    repeatPayers: 1,
  });
});

test("of the members whose paid time ended in a month it shows who paid for a later one", async () => {
  expect(await month("2026-09")).toMatchObject({ ended: 1, paidAgain: 1 });
  expect(await month("2026-10"), "boris's ends at the last second of the club's month").toMatchObject({
    ended: 4,
    paidAgain: 2,
  });
  expect(await month("2026-11"), "anna's time still runs").toMatchObject({ ended: 1, paidAgain: 0 });
});

test("a moderator, and an admin who looks as one, sees nothing of VIP members, deleted ones included", async () => {
  for (const [as, query] of [
    [moderator, {}],
    [admin, { as: "moderator" as const }],
  ] as const) {
    expect(await month("2026-09", as, query)).toMatchObject({
      received: [{ amount: "600", currency: "RUB" }],
      newPayers: 0,
      repeatPayers: 2,
    });
    expect(await month("2026-10", as, query)).toMatchObject({ received: [], newPayers: 0, ended: 2, paidAgain: 1 });
  }
});

test("a payment taken back does not count", async () => {
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300" } });
  const clara = await club.member({ username: "clara" });
  const set = (status: "paid" | "overdue") =>
    club.as(admin).call("PUT /admin/payments/status", { body: { userId: clara.id, status, period: "2026-11" } });
  await set("paid");
  expect(await month("2026-11")).toMatchObject({ newPayers: 1 });
  await set("overdue");
  expect(await month("2026-11")).toMatchObject({ newPayers: 0 });
});
