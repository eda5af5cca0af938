import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const SECOND_MS = 1_000;
let club: Club;
let admin: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", price3: "800" } });
});
afterEach(() => club.stop());

const period = () => club.app.parts.clubTime.dayOf(club.clock.now().getTime()).slice(0, 7);
const newAct = () => randomUUID().replaceAll("-", "");
const pay = async ({ id }: Person, more: object = {}, by: Person = admin) => {
  const act = newAct();
  const body = { userId: id, period: period(), status: "paid" as const, act, ...more };
  expect((await club.as(by).call("PUT /admin/payments/status", { body })).status).toBe(200);
  return body.act;
};
const extend = async (who: readonly Person[], amount: string | null = null) => {
  const act = newAct();
  const body = { ids: who.map(({ id }) => id), action: "extend" as const, days: 30, amount, act };
  expect((await club.as(admin).call("POST /admin/users/bulk", { body })).body.changed).toHaveLength(who.length);
  return act;
};
const undo = (what: "payments" | "users", act: string, by: Person = admin) =>
  club.as(by).call(`POST /admin/${what}/undo`, { body: { act } });
const claim = (who: Person) => club.as(who).call("POST /payments/claim", { body: {} });
const claims = async () => (await club.as(admin).call("GET /admin/payments/claims")).body;
const noticesOf = async (who: Person) => (await club.as(who).call("GET /inbox")).body.map(({ kind }) => kind);

const TABLES = ["members", "payments", "payment_claims", "payment_receipts", "member_use"];
/** All that an act changes, except what says that it happened. */
const state = async () => {
  const rows = await club.allRows();
  // PostgreSQL returns rows in another order once they were rewritten.
  return TABLES.map((table) =>
    rows
      .get(table)
      ?.map((row) => JSON.stringify(row))
      .sort(),
  );
};

test("a confirmation undone leaves member, months, claim, quota and revenue as they were", async () => {
  const boris = await club.member({ subscriptionEnd: null, row: { quota_bytes: 1_000 } });
  const vera = await club.member();
  await claim(boris);
  await club.as(admin).call("PUT /admin/payments/status", {
    body: { userId: vera.id, period: period(), status: "overdue", note: "Обещала завтра" },
  });
  await club.db
    .withTables<{ member_use: { member_id: string; period: string; period_bytes: number } }>()
    .updateTable("member_use")
    .set({ period: period(), period_bytes: 700 })
    .where("member_id", "=", boris.id)
    .execute();
  const before = await state();
  const act = await pay(boris);
  await pay(vera, { act, months: 3 });
  expect(await state()).not.toEqual(before);
  expect((await undo("payments", act)).body).toEqual({ undone: 2, refused: [], after: null });
  expect(await state()).toEqual(before);
  expect((await claims()).map(({ userId }) => userId)).toEqual([boris.id]);
  expect((await club.as(admin).call("GET /admin/payments/revenue")).body.at(-1)?.received).toEqual([]);
  expect((await auditOf(club, boris.id)).map(({ action }) => action)).toContain("payment.undone");
});

test("an extension undone, paid or given, gives every end and sum back", async () => {
  const people = [await club.member(), await club.member({ subscriptionEnd: null })];
  const before = await state();
  const act = await extend(people, "250");
  expect((await undo("users", act)).body).toEqual({ undone: 2, refused: [], after: null });
  expect(await state()).toEqual(before);
  const revenue = (await club.as(admin).call("GET /admin/payments/revenue")).body.at(-1);
  expect([revenue?.received, revenue?.cameIn, revenue?.gifts]).toEqual([[], [], 0]);
  const [step] = (
    await club.as(admin).call("GET /admin/payments/members/{id}/ledger", { params: { id: people[0]?.id ?? "" } })
  ).body;
  expect(step).toMatchObject({ kind: "undo", amount: "-250", by: { id: admin.id } });
});

describe("the panel decides", () => {
  test("after its time nothing is undone, and a press on its way is still taken", async () => {
    const boris = await club.member();
    const [kept, undone] = [await pay(boris), await extend([boris])];
    club.clock.advance(14 * SECOND_MS);
    expect((await undo("users", undone)).status).toBe(200);
    club.clock.advance(2 * SECOND_MS);
    expect((await undo("payments", kept)).code).toBe("undo.too_late");
    // The answer of the press in time was lost.
    expect((await undo("users", undone)).body).toMatchObject({ undone: 1 });
  });

  test("nobody undoes what another did, or what never was", async () => {
    const boris = await club.member();
    const act = await pay(boris);
    expect((await undo("payments", act, await club.admin())).code).toBe("undo.nothing");
    expect((await undo("payments", act, await club.moderator())).code).toBe("undo.nothing");
    expect((await undo("users", act)).code).toBe("undo.nothing");
    expect((await undo("payments", newAct())).code).toBe("undo.nothing");
  });

  test("who was moved again since stays, with the reason, and the others go back", async () => {
    const [boris, vera] = [await club.member(), await club.member()];
    const act = await pay(boris);
    await pay(vera, { act });
    await extend([vera]);
    const { body } = await undo("payments", act);
    expect(body).toMatchObject({ undone: 1, refused: [{ id: vera.id, code: "undo.changed_meanwhile" }] });
  });

  test("a month changed or a claim made since stands in the way", async () => {
    const [boris, vera] = [await club.member({ subscriptionEnd: null }), await club.member({ subscriptionEnd: null })];
    await claim(vera);
    const act = await pay(boris);
    await pay(vera, { act });
    await club.as(admin).call("PUT /admin/payments/status", {
      body: { userId: boris.id, period: period(), status: "paid", note: "Проверено" },
    });
    await club.as(vera).call("POST /payments/claim", { body: { months: 3 } });
    expect((await undo("payments", act)).body).toMatchObject({ undone: 0, refused: [{}, {}] });
  });

  test("two presses at once are one", async () => {
    const boris = await club.member();
    const before = await state();
    const act = await pay(boris);
    const answers = await Promise.all([undo("payments", act), undo("payments", act)]);
    expect(answers.map(({ body }) => body.undone)).toEqual([1, 1]);
    expect(await state()).toEqual(before);
    expect((await undo("payments", act)).body.undone).toBe(1);
  });

  test("a moderator undoes their own confirmation, but not once the member is hidden from them", async () => {
    const moderator = await club.moderator();
    const [boris, vera] = [await club.member(), await club.member()];
    const [own, hidden] = [await pay(boris, {}, moderator), await pay(vera, {}, moderator)];
    await club.as(admin).call("PUT /users/{id}", { params: { id: vera.id }, body: { isVip: true } });
    expect((await undo("payments", own, moderator)).body.undone).toBe(1);
    expect((await undo("payments", hidden, moderator)).body).toMatchObject({
      undone: 0,
      refused: [{ displayName: "", code: "undo.member_gone" }],
    });
  });
});

describe("which notices members get", () => {
  test("undone before they read it, there is no notice; confirmed again, there is one", async () => {
    const boris = await club.member();
    const act = await pay(boris);
    expect(await noticesOf(boris)).toEqual(["payment_recorded"]);
    await undo("payments", act);
    expect(await noticesOf(boris)).toEqual([]);
    await pay(boris);
    expect(await noticesOf(boris)).toEqual(["payment_recorded"]);
  });

  test("whoever has read it learns that it was undone: an extension, or a payment with its months", async () => {
    const [boris, vera] = [await club.member(), await club.member({ subscriptionEnd: null })];
    const [given, paid] = [await extend([boris]), await pay(vera, { months: 3 })];
    for (const who of [boris, vera]) await club.as(who).call("POST /inbox/read", { body: {} });
    await undo("users", given);
    await undo("payments", paid);
    expect(await noticesOf(boris)).toEqual(["extension_undone"]);
    expect((await club.as(vera).call("GET /inbox")).body).toMatchObject([
      { kind: "payment_undone", params: { period: period(), months: 3, until: null } },
    ]);
  });
});

test("staff's notice of the claim is new again for those who had not read it", async () => {
  const other = await club.admin();
  const boris = await club.member();
  await claim(boris);
  const unread = async () => (await club.as(other).call("GET /inbox/unread")).body;
  const waiting = await unread();
  const act = await pay(boris);
  expect(await unread()).not.toEqual(waiting);
  await undo("payments", act);
  expect(await unread()).toEqual(waiting);
});
