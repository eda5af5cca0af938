import { randomUUID } from "node:crypto";
import { addsUp } from "@krug/domain/ledger";
import { afterEach, beforeEach, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { randomOf } from "../../../../testing/random-of.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

const DAY_MS = 86_400_000;
let club: Club;
let admin: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  const prices = { price: "300", price3: "800.01", price12: "2900" };
  await club.as(admin).call("PUT /admin/payments/settings", { body: prices });
});
afterEach(() => club.stop());

const ledgerOf = async ({ id }: Pick<Person, "id">, as: Person = admin) => {
  const { body } = await club.as(as).call("GET /admin/payments/members/{id}/ledger", {
    params: { id },
    query: { limit: 200 },
  });
  return body;
};
const endOf = async ({ id }: Pick<Person, "id">) =>
  (await club.as(admin).call("GET /users/{id}", { params: { id } })).body.subscriptionEnd;
const period = () => club.app.parts.clubTime.dayOf(club.clock.now().getTime()).slice(0, 7);
const set = (who: Person, status: "paid" | "overdue" | "not_required", more: object = {}) =>
  club.as(admin).call("PUT /admin/payments/status", { body: { userId: who.id, period: period(), status, ...more } });
const extend = (who: readonly Person[], days: number, amount: string | null = null, act = newAct()) =>
  club.as(admin).call("POST /admin/users/bulk", {
    body: { ids: who.map(({ id }) => id), action: "extend", days, act, amount },
  });
const newAct = () => randomUUID().replaceAll("-", "");
const undo = (what: "payments" | "users", act: string) =>
  club.as(admin).call(`POST /admin/${what}/undo`, { body: { act } });

test.each([3, 14, 159])("any sequence of acts leaves end and money as the ledger says (seed %i)", async (seed) => {
  const { below, one: oneOf } = randomOf(seed);
  const people = [await club.member({ subscriptionEnd: null }), await club.member(), await club.member()];
  const one = () => oneOf(people) as Person;
  const change = (who: Person, body: object) =>
    club.as(admin).call("PUT /users/{id}", { params: { id: who.id }, body });
  let act = newAct();
  const acts: ((who: Person) => Promise<{ status: number }>)[] = [
    (who) => set(who, "paid", { act }),
    (who) => set(who, "paid", { act, months: 3 }),
    (who) => set(who, "paid", { act, months: 12 }),
    () => undo("payments", act),
    () => undo("payments", act),
    () => undo("users", act),
    (who) => set(who, "overdue"),
    (who) => set(who, "overdue"),
    (who) => set(who, "not_required"),
    (who) => extend([who], 1 + below(90)),
    (who) => extend([who, one()], 30, `${1 + below(900)}.${10 + below(89)}`, act),
    (who) => change(who, { subscriptionEnd: new Date(club.clock.now().getTime() + below(90) * DAY_MS).toISOString() }),
    (who) => change(who, { subscriptionEnd: null }),
    (who) => change(who, { isUnlimited: true }),
    (who) => change(who, { isUnlimited: false }),
  ];
  let done = 0;
  for (let n = 0; n < 80; n++) {
    const answer = await acts[below(acts.length)]?.(one());
    done += Number(answer?.status === 200);
    if (below(3) === 0) act = newAct();
    if (below(8) > 0) continue;
    club.clock.advance(below(40) * DAY_MS);
    // Staff sessions end after 12 hours without a call.
    admin = await club.admin();
  }
  expect(done).toBeGreaterThan(30);
  for (const who of people) {
    const steps = (await ledgerOf(who)).toReversed();
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, place) => place + 1));
    expect(addsUp(steps, await endOf(who)), JSON.stringify(steps)).toBe(true);
    const { history } = (await club.as(admin).call("GET /admin/payments/members/{id}", { params: { id: who.id } }))
      .body;
    const paid = history.filter(({ status }) => status === "paid").reduce((sum, { amount }) => sum + Number(amount), 0);
    const booked = steps.filter(({ period }) => period !== null).reduce((sum, { amount }) => sum + Number(amount), 0);
    expect(booked).toBeCloseTo(paid, 2);
  }
  const all = (await Promise.all(people.map((who) => ledgerOf(who)))).flat();
  expect(all.length).toBeGreaterThan(10);
  expect(all.filter(({ kind }) => kind === "undo").length).toBeGreaterThan(0);
});

test("it says what was paid, granted and taken back, by whom, and its last step leads to today's end", async () => {
  const boris = await club.member({ subscriptionEnd: null });
  await set(boris, "paid", { months: 3 });
  await extend([boris], 30);
  await extend([boris], 90, "750.5");
  await set(boris, "overdue");
  const steps = await ledgerOf(boris);
  expect(steps.map(({ kind, isGift, amount, months }) => [kind, isGift, amount, months])).toEqual([
    ["taken_back", false, "-800.01", 3],
    ["extension", false, "750.50", null],
    ["extension", true, null, null],
    ["payment", false, "800.01", 3],
  ]);
  expect(steps.every(({ by }) => by?.id === admin.id)).toBe(true);
  expect(steps[0]?.endAfter).toBe(await endOf(boris));
  expect((await auditOf(club, boris.id)).map(({ after }) => after)).toContainEqual(
    expect.objectContaining({ amount: 75_050, currency: "RUB" }),
  );
});

test("a newcomer's begins with the trial or what the code gave, by whoever made the code", async () => {
  const anna = await club.member();
  const { code } = (await club.as(anna).call("POST /users/generate-invite", { body: {} })).body;
  const { user } = (
    await club.guest.call("POST /auth/register", {
      body: { username: "newcomer", password: "a phrase of his own", inviteCode: code },
    })
  ).body;
  expect(await ledgerOf(user)).toMatchObject([
    { kind: "trial", by: { id: anna.id }, endBefore: null, endAfter: user.subscriptionEnd },
  ]);
  const added = (
    await club.as(admin).call("POST /users", { body: { username: "added", subscriptionEnd: "2027-03-01" } })
  ).body.user;
  expect(await ledgerOf(added)).toMatchObject([{ kind: "added", by: { id: admin.id } }]);
});

test("an end that moved without it, as by a panel of the previous version, is entered before the next step", async () => {
  const boris = await club.member();
  const moved = club.clock.now().getTime() + 99 * DAY_MS;
  await club.db
    .withTables<{ members: { id: string; subscription_end: number } }>()
    .updateTable("members")
    .set({ subscription_end: moved })
    .where("id", "=", boris.id)
    .execute();
  expect(await club.app.parts.members.ledger.notAddingUp(club.db)).toEqual([boris.id]);
  await extend([boris], 30);
  const steps = await ledgerOf(boris);
  expect(steps.map(({ kind }) => kind)).toEqual(["extension", "opening", "opening"]);
  expect(addsUp(steps.toReversed(), await endOf(boris))).toBe(true);
});

test("nothing paid is missing from revenue: sums of extensions are in their month, gifts are counted apart", async () => {
  const [boris, vera] = [await club.member(), await club.member()];
  const secret = await club.member({ row: { is_vip: 1 } });
  await set(boris, "paid");
  await set(vera, "not_required");
  await extend([boris, secret], 30, "500");
  await extend([boris, vera], 30);
  const moderator = await club.moderator();
  const sums = async (as: Person) => {
    const revenue = (await club.as(as).call("GET /admin/payments/revenue")).body.at(-1);
    const params = { period: period() };
    const { received } = (await club.as(as).call("GET /admin/payments/summary/{period}", { params })).body;
    return [revenue?.received, revenue?.cameIn, received, revenue?.gifts];
  };
  const rub = (amount: string) => [{ amount, currency: "RUB" }];
  expect(await sums(admin)).toEqual([rub("1300"), rub("1300"), rub("1300"), 3]);
  expect(await sums(moderator)).toEqual([rub("800"), rub("800"), rub("800"), 3]);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  expect(await sums(admin)).toEqual([rub("1300"), rub("1300"), rub("500"), 3]);
  const params = { period: period() };
  const { body } = await club.as(admin).call("GET /admin/payments/summary/{period}", { params });
  expect(body.receivedFromDeleted).toEqual(rub("800"));
});

test("members read their own, without names of staff, page by page", async () => {
  const boris = await club.member();
  for (let n = 0; n < 3; n++) await extend([boris], 1);
  const read = (cursor?: string) =>
    club.as(boris).call("GET /payments/ledger", { query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } });
  const first = await read();
  expect(first.body.map(({ number }) => number)).toEqual([4, 3]);
  expect(JSON.stringify(first.body)).not.toContain(admin.id);
  const second = await read(first.headers.get("x-next-cursor") ?? "");
  expect(second.body.map(({ number }) => number)).toEqual([2, 1]);
  expect(second.headers.get("x-next-cursor")).toBeNull();
});

test("a deleted member's stays with the tombstone, like their payments", async () => {
  const boris = await club.member();
  await set(boris, "paid");
  await club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } });
  const rows = (await club.allRows()).get("subscription_ledger")?.filter(({ member_id }) => member_id === boris.id);
  expect(rows).toHaveLength(3);
});
