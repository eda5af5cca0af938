import { createHash } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { aPicture, asDataUrl } from "../../../../testing/a-picture.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/** The club's clock is at noon of 21 November 2026 in Moscow. */
const DAY_MS = 86_400_000;
const PERIOD = "2026-11";
/** As the panel writes it: with Moscow's offset. */
const iso = (day: string) => `${day}T23:59:59.000+03:00`;
const endOf = (day: string) => Date.parse(iso(day));

async function aClub(options: Parameters<typeof startClub>[0] = { localServer: "off" }) {
  const club = await startClub(options);
  onTestFinished(() => club.stop());
  return club;
}

type Status = "pending" | "paid" | "overdue" | "not_required";
const set = (club: Club, staff: Person, member: Person, status: Status, more: object = {}) =>
  club.as(staff).call("PUT /admin/payments/status", { body: { userId: member.id, status, period: PERIOD, ...more } });
const own = async (club: Club, member: Person) => (await club.as(member).call("GET /payments/own")).body;
const endOfSubscription = async (club: Club, member: Person) =>
  (await club.as(member).call("GET /users/{id}", { params: { id: member.id } })).body.subscriptionEnd;
const auditOf = async (club: Club, action: string) =>
  club.db
    .withTables<{ audit: { actor_id: string; action: string; target: string; before: string; after: string } }>()
    .selectFrom("audit")
    .selectAll()
    .where("action", "=", action)
    .execute();
const setPrice = (club: Club, admin: Person) =>
  club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта 2200 1234 5678 9012" } });

describe("staff set a month's status", () => {
  test("paid prolongs by a calendar month, is audited, and takes effect once", async () => {
    const club = await aClub();
    const [marina, admin] = [await club.member({ subscriptionEnd: endOf("2026-12-12") }), await club.admin()];
    await setPrice(club, admin);
    const answer = await set(club, admin, marina, "paid", {
      note: "перевод",
      paidDate: "1999-01-01",
      shouldReduceSubscription: true,
    });
    expect(answer.body).toMatchObject({
      userId: marina.id,
      status: "paid",
      period: PERIOD,
      amount: "300",
      currency: "RUB",
      paidDate: "2026-11-21T12:00:00.000+03:00",
      dueDate: "2026-12-12",
      note: "перевод",
      grantedUntil: iso("2027-01-12"),
      subscriptionEnd: iso("2027-01-12"),
    });
    club.clock.advance(60_000);
    expect((await set(club, admin, marina, "paid")).body).toEqual(answer.body);
    expect(await endOfSubscription(club, marina)).toBe(iso("2027-01-12"));
    const entries = await auditOf(club, "payment.status_set");
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ actor_id: admin.id, target: marina.id });
    // As shown: the club's days, and only what changed.
    const told = async () =>
      (await club.as(admin).call("GET /admin/audit", { query: { action: "payment.status_set" } })).body[0];
    expect(await told()).toMatchObject({
      before: { subscriptionEnd: "2026-12-12T23:59:59.000+03:00" },
      after: { subscriptionEnd: "2027-01-12T23:59:59.000+03:00" },
    });
    club.clock.advance(60_000);
    await set(club, admin, await club.member({ subscriptionEnd: endOf("2026-12-12") }), "overdue");
    expect((await told())?.before).not.toHaveProperty("subscription_end");
  });

  test("of two simultaneous presses one grants the month", async () => {
    const club = await aClub();
    const [marina, admin] = [await club.member({ subscriptionEnd: endOf("2026-12-12") }), await club.admin()];
    const answers = await Promise.all(Array.from({ length: 6 }, () => set(club, admin, marina, "paid")));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await endOfSubscription(club, marina)).toBe(iso("2027-01-12"));
    expect(await auditOf(club, "payment.status_set")).toHaveLength(1);
  });

  test("overdue takes back exactly that month, also if the end was edited since; paid again grants it again", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const [marina, oleg] = [
      await club.member({ subscriptionEnd: endOf("2026-12-12") }),
      await club.member({ subscriptionEnd: endOf("2026-11-03"), row: { subscription_source: "trial" } }),
    ];
    for (const member of [marina, oleg]) await set(club, admin, member, "paid");
    expect(await endOfSubscription(club, oleg)).toBe(iso("2026-12-21"));
    await club
      .as(admin)
      .call("PUT /users/{id}", { params: { id: marina.id }, body: { subscriptionEnd: "2027-01-22" } });
    const taken = await set(club, admin, marina, "overdue");
    expect(taken.body).toMatchObject({
      status: "overdue",
      paidDate: null,
      grantedUntil: null,
      subscriptionEnd: iso("2026-12-22"),
    });
    expect((await set(club, admin, marina, "overdue")).body.subscriptionEnd).toBe(iso("2026-12-22"));
    expect((await set(club, admin, oleg, "overdue")).body.subscriptionEnd).toBe(iso("2026-11-03"));
    expect((await club.app.parts.members.find(club.db, oleg.id))?.subscription_source).toBe("trial");
    expect((await set(club, admin, marina, "paid")).body.subscriptionEnd).toBe(iso("2027-01-22"));
  });

  test("31 January, 28 February, 31 March: the day of the month comes back, also after a restart", async () => {
    const club = await aClub();
    const [marina, admin] = [await club.member({ subscriptionEnd: endOf("2027-01-31") }), await club.admin()];
    expect((await set(club, admin, marina, "paid")).body.subscriptionEnd).toBe(iso("2027-02-28"));
    await club.restart();
    club.clock.advance(20 * DAY_MS);
    const again = await club.admin();
    expect((await set(club, again, marina, "paid", { period: "2026-12" })).body.subscriptionEnd).toBe(
      iso("2027-03-31"),
    );
  });

  test("not required grants a month too, once, by admins only; it cannot change to paid", async () => {
    const club = await aClub();
    const [marina, admin, moderator] = [
      await club.member({ subscriptionEnd: endOf("2026-12-12") }),
      await club.admin(),
      await club.moderator(),
    ];
    expect((await set(club, moderator, marina, "not_required")).code).toBe("auth.forbidden");
    expect((await set(club, moderator, marina, "paid")).status).toBe(200);
    expect((await set(club, admin, marina, "not_required")).body).toMatchObject({
      paidDate: null,
      subscriptionEnd: iso("2027-01-12"),
    });
    expect((await set(club, admin, marina, "paid")).code).toBe("payment.transition");
    expect((await set(club, admin, marina, "pending")).code).toBe("payment.transition");
    expect((await set(club, moderator, marina, "overdue")).body.subscriptionEnd).toBe(iso("2026-12-12"));
  });

  test("only the current month, by the club's clock, with the specification's values; never for unlimited members", async () => {
    const club = await aClub();
    const [marina, forever, admin] = [
      await club.member(),
      await club.member({ row: { is_unlimited: 1 } }),
      await club.admin(),
    ];
    for (const period of ["2026-10", "2026-12"]) {
      const refused = await set(club, admin, marina, "paid", { period });
      expect([refused.code, refused.message]).toEqual([
        "payment.not_current_month",
        "Оплата может быть подтверждена только за текущий месяц.",
      ]);
    }
    expect((await set(club, admin, forever, "paid")).code).toBe("payment.unlimited_member");
    // 1 December in Moscow, still 30 November in Greenwich.
    club.clock.advance(Date.parse("2026-11-30T21:30:00Z") - club.clock.now().getTime());
    const later = await club.admin();
    expect((await set(club, later, marina, "paid")).code).toBe("payment.not_current_month");
    expect((await set(club, later, marina, "paid", { period: "2026-12" })).status).toBe(200);
  });

  test("an expired member's devices return to the wire when the month is set to paid, and leave it when that is taken back", async () => {
    const club = await aClub({});
    const marina = await club.member({ subscriptionEnd: endOf("2026-11-22") });
    const made = await club.as(marina).call("POST /vpn/configs", { body: await configInput(club, marina) });
    expect(made.status).toBe(201);
    await club.settle();
    expect(club.host.peers()).toHaveLength(1);
    club.clock.advance(3 * DAY_MS);
    await club.app.parts.configs.cutEnded();
    await club.app.lookAtServers();
    await club.settle();
    expect(club.host.peers()).toHaveLength(0);
    const admin = await club.admin();
    await set(club, admin, marina, "paid");
    await club.settle();
    expect(club.host.peers()).toHaveLength(1);
    await set(club, admin, marina, "overdue");
    await club.settle();
    expect(club.host.peers()).toHaveLength(0);
  });
});

describe("the list of a month", () => {
  test("everyone has a status, pending if nothing is recorded; later members are not in an earlier month", async () => {
    const club = await aClub();
    const admin = await club.admin({ username: "zoe" });
    const [anna, boris] = [
      await club.member({ username: "anna", subscriptionEnd: endOf("2026-11-28") }),
      await club.member({ username: "boris", subscriptionEnd: null }),
    ];
    await setPrice(club, admin);
    await set(club, admin, anna, "paid");
    await club.as(boris).call("POST /payments/claim", { body: {} });
    const list = await club.as(admin).call("GET /admin/payments/history/{period}", { params: { period: PERIOD } });
    expect(list.body.map(({ username, status, due_date }) => [username, status, due_date])).toEqual([
      ["anna", "paid", "2026-11-28"],
      ["boris", "pending", "2026-11-30"],
      ["zoe", "pending", "2026-12-21"],
    ]);
    expect(list.body[0]).toMatchObject({ user_id: anna.id, paid_date: "2026-11-21T12:00:00.000+03:00" });
    expect(list.body[1]).toMatchObject({ id: null, amount: "300", claimId: expect.any(String) });
    expect(list.headers.get("x-total-count")).toBe("3");
    const earlier = await club
      .as(admin)
      .call("GET /admin/payments/history/{period}", { params: { period: "2026-10" } });
    expect(earlier.body).toEqual([]);
  });

  test("it is paged and searched by name", async () => {
    const club = await aClub();
    const admin = await club.admin({ username: "zoe" });
    for (const username of ["anna", "boris", "clara"]) await club.member({ username });
    const page = (query: object) =>
      club.as(admin).call("GET /admin/payments/history/{period}", { params: { period: PERIOD }, query });
    const first = await page({ limit: 3 });
    expect(first.body.map(({ username }) => username)).toEqual(["anna", "boris", "clara"]);
    const rest = await page({ limit: 3, cursor: first.headers.get("x-next-cursor") ?? "" });
    expect(rest.body.map(({ username }) => username)).toEqual(["zoe"]);
    expect((await page({ q: "BOR" })).body.map(({ username }) => username)).toEqual(["boris"]);
  });

  test("only admins see, set, count or decline VIP members' payments", async () => {
    const club = await aClub();
    const [vip, marina] = [await club.member({ row: { is_vip: 1 } }), await club.member()];
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    await setPrice(club, admin);
    for (const member of [vip, marina])
      await club.as(member).call("POST /payments/claim", { body: { receipt: await picture() } });
    const ofPeriod = (staff: Person) =>
      club.as(staff).call("GET /admin/payments/history/{period}", { params: { period: PERIOD } });
    const [all, some] = [await ofPeriod(admin), await ofPeriod(moderator)];
    expect(all.body.some(({ userId }) => userId === vip.id)).toBe(true);
    expect(some.body.some(({ userId }) => userId === vip.id)).toBe(false);
    expect(Number(all.headers.get("x-total-count")) - Number(some.headers.get("x-total-count"))).toBe(1);
    const queue = await club.as(moderator).call("GET /admin/payments/claims");
    expect([queue.body.map(({ userId }) => userId), queue.headers.get("x-total-count")]).toEqual([[marina.id], "1"]);
    const hidden = (await club.as(admin).call("GET /admin/payments/claims")).body.find(
      ({ userId }) => userId === vip.id,
    );
    const params = { id: hidden?.id ?? "" };
    expect((await set(club, moderator, vip, "paid")).code).toBe("member.not_found");
    expect((await club.as(moderator).call("GET /admin/payments/claims/{id}/receipt", { params })).status).toBe(404);
    expect(
      (await club.as(moderator).call("PUT /admin/payments/claims/{id}/decline", { params, body: {} })).status,
    ).toBe(404);
    expect((await club.as(admin).call("GET /admin/payments/claims/{id}/receipt", { params })).status).toBe(200);
  });
});

/** `mark` makes pictures differ by colour; trailing bytes make them long. */
const picture = async (mark = "", length = 0) => {
  const bytes = await aPicture({ colour: `#${createHash("sha256").update(mark).digest("hex").slice(0, 6)}` });
  return asDataUrl(Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length))]));
};

describe("a member claims to have paid", () => {
  test("they see the price and how to pay, even without a subscription, and are in the queue once", async () => {
    const club = await aClub();
    const [oleg, admin] = [await club.member({ subscriptionEnd: endOf("2026-11-18") }), await club.admin()];
    await setPrice(club, admin);
    expect(await own(club, oleg)).toMatchObject({
      price: { amount: "300", currency: "RUB" },
      details: "Карта 2200 1234 5678 9012",
      free: null,
      current: { period: PERIOD, status: "pending", dueDate: "2026-11-18" },
      claim: null,
      canClaim: true,
      wouldExtendTo: iso("2026-12-21"),
      history: [],
    });
    const claimed = await club.as(oleg).call("POST /payments/claim", { body: { receipt: await picture("first") } });
    expect(claimed.body.claim).toMatchObject({ state: "waiting", claimedAt: club.clock.now().toISOString() });
    club.clock.advance(60_000);
    const again = await club.as(oleg).call("POST /payments/claim", { body: { receipt: await picture("second") } });
    expect(again.body.claim).toMatchObject({ id: claimed.body.claim?.id, claimedAt: claimed.body.claim?.claimedAt });
    expect(again.body.claim?.receipt).not.toBe(claimed.body.claim?.receipt);
    const pressed = await club.as(oleg).call("POST /payments/claim", { body: {} });
    expect(pressed.body.claim).toEqual(again.body.claim);
    expect((await club.as(admin).call("GET /admin/payments/claims")).body).toHaveLength(1);
    expect(await receipts(club)).toBe(1);
  });

  test("two tabs that press at once make one entry", async () => {
    const club = await aClub();
    const [oleg, admin] = [await club.member(), await club.admin()];
    await setPrice(club, admin);
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, n) =>
        club.as(oleg).call("POST /payments/claim", { body: { receipt: await picture(`${n}`) } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await club.as(admin).call("GET /admin/payments/claims")).body).toHaveLength(1);
    expect(await receipts(club)).toBe(1);
  });

  test("staff confirm with one press: the member leaves the queue, sees the new end, and has it in their history", async () => {
    const club = await aClub();
    const [oleg, admin] = [await club.member({ subscriptionEnd: endOf("2026-11-18") }), await club.admin()];
    await setPrice(club, admin);
    await club.as(oleg).call("POST /payments/claim", { body: { receipt: await picture() } });
    await set(club, admin, oleg, "paid");
    expect((await club.as(admin).call("GET /admin/payments/claims")).body).toEqual([]);
    const seen = await own(club, oleg);
    expect(seen).toMatchObject({
      claim: null,
      canClaim: false,
      current: { status: "paid", grantedUntil: iso("2026-12-21") },
    });
    expect(seen.history).toEqual([seen.current]);
    expect((await club.as(oleg).call("POST /payments/claim", { body: {} })).code).toBe("payment.already_settled");
  });

  test("declined members read why and may claim again; the month's status does not change; a decision is final", async () => {
    const club = await aClub();
    const [oleg, admin] = [await club.member(), await club.admin()];
    await setPrice(club, admin);
    const first = (await club.as(oleg).call("POST /payments/claim", { body: {} })).body.claim;
    const decline = () =>
      club.as(admin).call("PUT /admin/payments/claims/{id}/decline", {
        params: { id: first?.id ?? "" },
        body: { reason: "Перевода нет" },
      });
    expect((await decline()).status).toBe(204);
    expect((await decline()).code).toBe("payment.claim_decided");
    expect(await own(club, oleg)).toMatchObject({
      claim: { state: "declined", reason: "Перевода нет" },
      current: { status: "pending" },
      canClaim: true,
    });
    expect(await auditOf(club, "payment.claim_declined")).toHaveLength(1);
    club.clock.advance(60_000);
    expect((await club.as(oleg).call("POST /payments/claim", { body: {} })).body.claim).toMatchObject({
      state: "waiting",
    });
    await set(club, admin, oleg, "overdue");
    expect(await own(club, oleg)).toMatchObject({
      claim: { state: "declined", reason: null },
      current: { status: "overdue" },
    });
    club.clock.advance(20 * DAY_MS);
    expect((await own(club, oleg)).claim).not.toBeNull();
    club.clock.advance(11 * DAY_MS);
    expect((await own(club, oleg)).claim).toBeNull();
  });

  test("a withdrawn claim is deleted with its receipt; withdrawing nothing is not an error", async () => {
    const club = await aClub();
    const [oleg, admin] = [await club.member(), await club.admin()];
    await setPrice(club, admin);
    await club.as(oleg).call("POST /payments/claim", { body: { receipt: await picture() } });
    for (let n = 0; n < 2; n++) expect((await club.as(oleg).call("DELETE /payments/claim")).status).toBe(204);
    expect((await own(club, oleg)).claim).toBeNull();
    expect(await receipts(club)).toBe(0);
  });

  test("members with nothing to pay see that, and so does everyone before staff have set how to pay", async () => {
    const club = await aClub();
    const admin = await club.admin();
    const [forever, friend, marina] = [
      await club.member({ row: { is_unlimited: 1 } }),
      await club.member({ subscriptionEnd: null, row: { referral_earned_at: 1 } }),
      await club.member(),
    ];
    expect(await own(club, marina)).toMatchObject({ price: null, details: null, canClaim: false, wouldExtendTo: null });
    expect((await club.as(marina).call("POST /payments/claim", { body: {} })).code).toBe("payment.not_set_up");
    await setPrice(club, admin);
    expect([(await own(club, forever)).free, (await own(club, friend)).free]).toEqual(["unlimited", "referral"]);
    for (const member of [forever, friend])
      expect((await club.as(member).call("POST /payments/claim", { body: {} })).code).toBe("payment.nothing_due");
  });

  test("a member's own history is bounded", async () => {
    const club = await aClub();
    const marina = await club.member();
    for (let month = 0; month < 30; month++) {
      const staff = await club.admin();
      const period = new Date(club.clock.now()).toISOString().slice(0, 7);
      expect((await set(club, staff, marina, "paid", { period })).status).toBe(200);
      club.clock.advance(Date.UTC(2026, 11 + month, 15) - club.clock.now().getTime());
    }
    // Their session ended long ago, so the rows are read directly.
    const session = await club.transact(async (tx) => {
      const row = await club.app.parts.members.find(tx, marina.id);
      if (row === undefined) throw new Error("he is gone");
      return club.app.parts.auth.openSession(tx, row, "Test");
    });
    const { history } = (await club.withToken(session.token).call("GET /payments/own")).body;
    expect(history).toHaveLength(24);
    expect(history[0]?.period).toBe("2029-04");
  });
});

test("a member's data export has their months and claims, not staff's notes", async () => {
  const club = await aClub();
  const [oleg, admin] = [await club.member({ subscriptionEnd: endOf("2026-11-18") }), await club.admin()];
  await setPrice(club, admin);
  await club.as(oleg).call("POST /payments/claim", { body: { receipt: await picture() } });
  await set(club, admin, oleg, "paid", { note: "платит жена" });
  const file = (await club.as(oleg).call("GET /users/me/export")).body as unknown as { payments: object };
  expect(file.payments).toMatchObject({
    months: [
      {
        period: PERIOD,
        status: "paid",
        amount: "300",
        currency: "RUB",
        grantedUntil: new Date(endOf("2026-12-21")).toISOString(),
      },
    ],
    claims: [{ state: "confirmed", withReceipt: true }],
  });
  expect(JSON.stringify(file)).not.toContain("жена");
});

describe("receipts", () => {
  test("only their member and staff see them; the type comes from the bytes, and nothing in them can run", async () => {
    const club = await aClub();
    const [oleg, other, admin] = [await club.member(), await club.member(), await club.admin()];
    await setPrice(club, admin);
    const receipt = asDataUrl(await aPicture({ media: "image/gif" }));
    const { claim } = (await club.as(oleg).call("POST /payments/claim", { body: { receipt } })).body;
    const params = { id: claim?.id ?? "" };
    for (const path of [`/api/admin/payments/claims/${params.id}/receipt`, "/api/payments/claim/receipt"]) {
      const token = path.includes("admin") ? admin.token : oleg.token;
      const answer = await fetch(`${club.origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 6)).toBe("GIF89a");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "image/gif",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "no-store",
      });
    }
    expect((await club.as(other).call("GET /payments/claim/receipt")).status).toBe(404);
    expect((await club.as(other).call("GET /admin/payments/claims/{id}/receipt", { params })).status).toBe(403);
  });

  test.each([
    ["SVG", `data:image/svg+xml;base64,${Buffer.from("<svg/>").toString("base64")}`],
    ["a page", `data:image/png;base64,${Buffer.from("<html></html>").toString("base64")}`],
    ["an address", "https://club.example/receipt.png"],
  ])("%s is not a receipt, and no claim is made with it", async (_, receipt) => {
    const club = await aClub();
    const [oleg, admin] = [await club.member(), await club.admin()];
    await setPrice(club, admin);
    expect((await club.as(oleg).call("POST /payments/claim", { body: { receipt } })).code).toBe(
      "payment.receipt_invalid",
    );
    expect((await own(club, oleg)).claim).toBeNull();
  });

  test("a receipt of 5 MB is accepted, one byte more is not, and a far larger one is refused unread", async () => {
    const club = await aClub();
    const [oleg, admin] = [await club.member(), await club.admin()];
    await setPrice(club, admin);
    const send = (receipt: string) => club.as(oleg).call("POST /payments/claim", { body: { receipt } });
    expect((await send(await picture("", 5 * 1024 * 1024))).status).toBe(200);
    expect((await send(await picture("", 5 * 1024 * 1024 + 1))).code).toBe("payment.receipt_invalid");
    expect((await send(await picture("", 6 * 1024 * 1024))).code).toBe("request.too_large");
  });

  test("they are deleted with the member, whose months stay, and three months after the decision", async () => {
    const club = await aClub();
    const [oleg, marina, admin] = [await club.member(), await club.member(), await club.admin()];
    await setPrice(club, admin);
    for (const member of [oleg, marina])
      await club.as(member).call("POST /payments/claim", { body: { receipt: await picture() } });
    await set(club, admin, oleg, "paid", { note: "от Олега" });
    await set(club, admin, marina, "paid");
    await club.as(admin).call("DELETE /users/{id}", { params: { id: oleg.id } });
    expect(await receipts(club)).toBe(1);
    const kept = await club.db
      .withTables<{ payments: { member_id: string; status: string; note: string | null } }>()
      .selectFrom("payments")
      .selectAll()
      .where("member_id", "=", oleg.id)
      .execute();
    expect(kept).toMatchObject([{ status: "paid", note: null }]);
    await club.app.forgetOld();
    expect(await receipts(club)).toBe(1);
    club.clock.advance(91 * DAY_MS);
    await club.app.forgetOld();
    expect(await receipts(club)).toBe(0);
  });
});

async function receipts(club: Club): Promise<number> {
  const rows = await club.db
    .withTables<{ payment_receipts: { id: string } }>()
    .selectFrom("payment_receipts")
    .select("id")
    .execute();
  return rows.length;
}

describe("what a month costs", () => {
  test("an admin sets it, everyone who pays sees it, and it is audited; a moderator only reads", async () => {
    const club = await aClub();
    const [admin, moderator] = [await club.admin(), await club.moderator()];
    expect((await club.as(moderator).call("GET /admin/payments/settings")).body).toMatchObject({
      price: null,
      currency: "RUB",
      details: "",
    });
    const change = (body: object) => club.as(admin).send("PUT", "/api/admin/payments/settings", body);
    expect((await change({ price: 10.99, currency: "eur", details: " Счёт:\r\n1 " })).body).toMatchObject({
      price: "10.99",
      currency: "EUR",
      details: "Счёт:\n1",
    });
    expect((await change({ price: "4.1" })).body).toMatchObject({ price: "4.10", currency: "EUR" });
    expect((await change({ price: null })).body).toMatchObject({ price: null });
    expect(await auditOf(club, "payment.settings_changed")).toHaveLength(3);
    for (const body of [
      { price: "0" },
      { price: "1.234" },
      { price: -1 },
      { price: 1e9 },
      { currency: "XYZ" },
      { details: "а\u0007" },
    ])
      expect([body, (await change(body)).code]).toEqual([body, "request.invalid"]);
  });

  test("of two admins who change it the second is refused, and nothing of theirs is written", async () => {
    const club = await aClub();
    const [one, other] = [await club.admin(), await club.admin()];
    const change = (by: Person, body: object) => club.as(by).call("PUT /admin/payments/settings", { body });
    await setPrice(club, one);
    const seen = { price: "300", details: "Карта 2200 1234 5678 9012" };
    expect((await change(one, { price: "350.50", expected: { price: "300" } })).status).toBe(200);
    const late = await change(other, { price: "400", details: "Счёт 1", expected: seen });
    expect(late).toMatchObject({ status: 409, code: "settings.changed_meanwhile" });
    expect((await club.as(other).call("GET /admin/payments/settings")).body).toMatchObject({
      price: "350.50",
      details: seen.details,
    });
    // A change to another field is no reason to refuse.
    expect((await change(other, { details: "Счёт 1", expected: seen })).status).toBe(200);
  });

  test("a recorded month keeps its price", async () => {
    const club = await aClub();
    const [marina, admin] = [await club.member(), await club.admin()];
    await setPrice(club, admin);
    await set(club, admin, marina, "paid");
    await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "500" } });
    expect((await own(club, marina)).current.amount).toBe("300");
    expect((await own(club, marina)).price?.amount).toBe("500");
  });
});

test("the queue is paged, the longest waiting or the soonest ending first, also if one of them is decided in between", async () => {
  const club = await aClub();
  const admin = await club.admin();
  await setPrice(club, admin);
  const people: Person[] = [];
  const now = club.clock.now().getTime();
  for (const [n, days] of [5, null, -1, 2, 9].entries()) {
    const member = await club.member({ subscriptionEnd: days === null ? null : now + days * DAY_MS });
    people.push(member);
    await club.as(member).call("POST /payments/claim", { body: {} });
    if (n !== 2) club.clock.advance(1_000);
  }
  await club.as(admin).call("PUT /users/{id}", { params: { id: people[3]?.id ?? "" }, body: { isUnlimited: true } });
  const due = (page: { limit: number; cursor?: string }) =>
    club.as(admin).call("GET /admin/payments/claims", { query: { sort: "due", ...page } });
  const soonest = await due({ limit: 2 });
  const later = await due({ limit: 3, cursor: soonest.headers.get("x-next-cursor") ?? "" });
  // Nobody without a subscription is due later, and nobody with an unlimited one sooner.
  expect([...soonest.body, ...later.body].map(({ userId }) => people.findIndex(({ id }) => id === userId))).toEqual([
    1, 2, 0, 4, 3,
  ]);
  expect([soonest.headers.get("x-total-count"), later.headers.get("x-next-cursor")]).toEqual(["5", null]);
  const first = await club.as(admin).call("GET /admin/payments/claims", { query: { limit: 2 } });
  expect(first.body.map(({ userId }) => userId)).toEqual(people.slice(0, 2).map(({ id }) => id));
  expect(first.headers.get("x-total-count")).toBe("5");
  const second = people[1];
  if (second !== undefined) await set(club, admin, second, "paid");
  const rest = await club
    .as(admin)
    .call("GET /admin/payments/claims", { query: { limit: 10, cursor: first.headers.get("x-next-cursor") ?? "" } });
  expect(rest.body.map(({ userId }) => userId).sort()).toEqual(
    people
      .slice(2)
      .map(({ id }) => id)
      .sort(),
  );
});
