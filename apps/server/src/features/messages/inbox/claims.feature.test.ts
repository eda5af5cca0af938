import { afterAll, beforeAll, expect, test } from "vitest";
import { aPicture, asDataUrl } from "../../../../testing/a-picture.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let moderator: Person;
beforeAll(async () => {
  club = await startClub({ localServer: "off" });
  [admin, moderator] = [await club.admin(), await club.moderator()];
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300.50", details: "Карта" } });
});
afterAll(() => club.stop());

const claim = (who: Person, body: { receipt?: string } = {}) => club.as(who).call("POST /payments/claim", { body });
const toldOf = async (reader: Person, member: Person) => {
  const { display_name } = (await club.app.parts.members.find(club.db, member.id)) ?? {};
  return (await club.as(reader).call("GET /inbox")).body.flatMap((notice) =>
    notice.kind === "payment_claimed" && notice.params.member === display_name ? [notice] : [],
  );
};
const set = (member: Person, status: "paid" | "overdue") =>
  club.as(admin).call("PUT /admin/payments/status", { body: { userId: member.id, status, period: "2026-11" } });

test("staff are notified of a claim at once and once, with name, month, sum and whether there is a receipt", async () => {
  const anna = await club.member({ row: { display_name: "Анна" } });
  await claim(anna);
  await claim(anna);
  await claim(anna, { receipt: asDataUrl(await aPicture()) });
  for (const staff of [admin, moderator])
    expect((await toldOf(staff, anna)).map(({ params }) => params)).toEqual([
      {
        claimId: expect.any(String),
        member: "Анна",
        period: "2026-11",
        sum: [{ amount: "300.50", currency: "RUB" }],
        receipt: false,
      },
    ]);
  const boris = await club.member({ row: { display_name: "Борис" } });
  await claim(boris, { receipt: asDataUrl(await aPicture()) });
  expect((await toldOf(admin, boris))[0]?.params.receipt).toBe(true);
});

test("once somebody has decided, or the member took it back, nobody has it unread", async () => {
  const decline = async (member: Person) => {
    const waiting = (await club.as(admin).call("GET /admin/payments/claims")).body;
    const row = waiting.find(({ userId }) => userId === member.id);
    return club.as(admin).call("PUT /admin/payments/claims/{id}/decline", { params: { id: row?.id ?? "" }, body: {} });
  };
  const ways: ((member: Person) => Promise<{ code?: string | undefined }>)[] = [
    (member) => set(member, "paid"),
    (member) => set(member, "overdue"),
    decline,
    (member) => club.as(member).call("DELETE /payments/claim"),
  ];
  for (const [n, decide] of ways.entries()) {
    const member = await club.member({ row: { display_name: `Участник ${n}` } });
    await claim(member);
    expect((await toldOf(moderator, member)).map(({ readAt }) => readAt)).toEqual([null]);
    expect((await decide(member)).code, `way ${n}`).toBeUndefined();
    expect((await toldOf(moderator, member)).map(({ readAt }) => readAt)).toEqual([expect.any(String)]);
  }
});

test("a moderator is not told of a VIP member's claim, and nobody keeps a deleted member's", async () => {
  const vip = await club.member({ row: { display_name: "Тайна", is_vip: 1 } });
  await claim(vip);
  expect([(await toldOf(admin, vip)).length, (await toldOf(moderator, vip)).length]).toEqual([1, 0]);
  await club.as(admin).call("DELETE /users/{id}", { params: { id: vip.id } });
  const notices = ((await club.allRows()).get("notices") ?? []).map(({ params }) => String(params));
  expect(notices.filter((params) => params.includes("Тайна"))).toEqual([]);
});
