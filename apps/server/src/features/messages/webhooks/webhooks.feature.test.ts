import { webhookBody } from "@krug/contract/messages/webhook-events";
import { MOST_WEBHOOKS, WEBHOOK_EVENTS, type WebhookEvent } from "@krug/domain/webhook-rules";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { detailsOf } from "../../../../testing/details-of.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { startWebhookDouble, type WebhookDouble } from "../../../../testing/webhook-double.ts";
import { checkWords } from "../../../check/words.ts";
import { lookAtWork } from "../../../check/work.ts";
import { backupLate } from "../../club/backup/index.ts";
import { addressesRanLow } from "../../vpn/configs/index.ts";
import { serverBack, serverGone } from "../../vpn/servers/index.ts";

/* Events reach other programs (ADR 77). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let receiver: WebhookDouble;
let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  receiver = await startWebhookDouble();
  club = await startClub({ internetException: receiver.exception });
  for (const name of ["push.example", "other.example", "moved.example"]) resolve(name, "127.0.0.1");
  // The installed library uses the machine's clock.
  club.clock.advance(Date.now() - club.clock.now().getTime());
  admin = await club.admin({ username: "chief" });
  anna = await club.member({ username: "anna" });
});
afterEach(async () => {
  await club.stop();
  await receiver.close();
});

function resolve(name: string, ...addresses: string[]) {
  const isV6 = (address: string) => address.includes(":");
  club.names.known.set(name, { v4: addresses.filter((each) => !isV6(each)), v6: addresses.filter(isV6) });
}

/** Confirms the password, as every change of a webhook requires. */
const confirm = async (who = admin) =>
  expect((await club.as(who).call("POST /auth/confirm-password", { body: { password: PASSWORD } })).status).toBe(204);
const send = (input: { url?: string; description?: string; events?: WebhookEvent[] } = {}, who = admin) =>
  club.as(who).call("POST /admin/webhooks", {
    body: { url: receiver.at("/hook"), description: "", events: [...WEBHOOK_EVENTS], ...input },
  });
const make = async (input: Parameters<typeof send>[0] = {}) => {
  await confirm();
  const made = await send(input);
  expect(made.status).toBe(201);
  return made.body;
};
const change = (id: string, body: object) => club.as(admin).call("PUT /admin/webhooks/{id}", { params: { id }, body });
const list = async () => (await club.as(admin).call("GET /admin/webhooks")).body;
const log = async (id: string, show: "all" | "waiting" | "delivered" | "failed" = "all") =>
  (await club.as(admin).call("GET /admin/webhooks/{id}/deliveries", { params: { id }, query: { show } })).body;
const sendTest = (id: string) => club.as(admin).call("POST /admin/webhooks/{id}/test", { params: { id } });
const redeliver = (id: string, deliveryId: string) =>
  club.as(admin).call("POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver", { params: { id, deliveryId } });
const block = (who: Person, isActive = false) =>
  club.as(admin).call("PUT /users/{id}", { params: { id: who.id }, body: { isActive } });
const deliver = () => club.app.parts.webhooks.drain();
const typesAt = (path: string): string[] => receiver.bodies(path).map(({ type }) => type);
/** Staff's second factor expires after a while. */
const later = async (ms: number) => {
  club.clock.advance(ms);
  if (ms >= 15 * MINUTE_MS) admin = await club.admin();
};
const record = <Payload>(type: { name: string; payload?: Payload }, payload: Payload) =>
  club.transact((tx) => club.app.parts.events.record(tx, type, payload));

describe("an event", () => {
  test("reaches the webhooks that want it, signed as the reference library expects, in the contract's shape", async () => {
    const { id, secret } = await make({ events: ["member.blocked"] });
    const other = await make({ url: receiver.at("/other"), events: ["backup.late"] });
    await block(anna);
    await deliver();
    expect(typesAt("/hook")).toEqual(["member.blocked"]);
    expect(receiver.bodies("/other")).toEqual([]);
    const [{ headers, body } = expect.unreachable()] = receiver.received;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(other.secret).verify(body, headers)).toThrow("No matching signature");
    expect(() => new Webhook(secret).verify(body.replace("anna", "olga"), headers)).toThrow("No matching signature");
    const read = webhookBody("member.blocked").strict().parse(JSON.parse(body));
    expect(read).toMatchObject({ data: { memberId: anna.id, username: "anna" }, version: 1 });
    expect(headers["webhook-id"]).toBe(read.id);
    expect(headers["content-type"]).toBe("application/json");
    expect(await log(id)).toMatchObject([
      {
        id: read.id,
        event: "member.blocked",
        state: "delivered",
        attempts: 1,
        status: 204,
        problem: null,
        nextAt: null,
      },
    ]);
    const { body: shown } = await club
      .as(admin)
      .call("GET /admin/webhooks/{id}/deliveries/{deliveryId}", { params: { id, deliveryId: read.id } });
    expect(shown.body).toBe(body);
  });

  test("comes for every kind, in the contract's shape and without what people wrote", async () => {
    await make();
    const settings = { price: 500, currency: "RUB", details: "Карта 2200 0000" };
    await club.as(admin).call("PUT /admin/payments/settings", { body: settings });
    // A VIP member: webhooks are for admins, so their events are included, without the VIP mark.
    const vip = await club.member({
      username: "grandee",
      row: { is_vip: 1, subscription_end: null, subscription_source: null },
    });
    const made = await club
      .as(anna)
      .call("POST /vpn/configs", { body: await configInput(club, anna, { name: "Annas-iPhone" }) });
    const params = { id: made.body.id };
    await club.as(anna).call("DELETE /vpn/configs/{id}", { params });
    await club.as(anna).call("POST /vpn/configs/{id}/restore", { params });
    await club.as(anna).call("POST /support/messages", { body: { content: "My secret is 1234" } });
    await club.as(anna).call("POST /support/messages", { body: { content: "And 5678" } });
    await club.as(anna).call("POST /support/tickets", { body: { subject: "My bank", description: "It is 9876" } });
    expect((await club.as(vip).call("POST /payments/claim", { body: {} })).status).toBe(200);
    const period = club.clock.now().toISOString().slice(0, 7);
    const pay = (status: "paid" | "overdue") =>
      club.as(admin).call("PUT /admin/payments/status", { body: { userId: vip.id, status, period } });
    expect((await pay("paid")).status).toBe(200);
    expect((await pay("overdue")).status).toBe(200);
    await club.as(admin).call("POST /admin/users/bulk", { body: { ids: [anna.id], action: "extend", days: 5 } });
    await block(anna);
    await block(anna, true);
    const inviter = await club.member({ username: "inviter" });
    const { code: invite } = (await club.as(inviter).call("POST /users/generate-invite", { body: {} })).body;
    const joined = await club.guest.call("POST /auth/register", {
      body: { username: "newcomer", password: "a fine phrase", inviteCode: invite },
    });
    expect([joined.status, joined.code]).toEqual([201, undefined]);
    await club.member({ username: "former", subscriptionEnd: club.clock.now().getTime() - MINUTE_MS });
    await club.app.parts.inbox.remindOfEnds();
    await club.app.parts.inbox.remindOfEnds();
    const [server] = await club.app.parts.servers.all(club.db);
    const [place] = await club.app.parts.interfaces.all(club.db);
    const about = { serverId: server?.id ?? "", name: server?.name ?? "", since: club.clock.now().getTime() };
    await record(serverGone, about);
    await record(serverBack, { ...about, until: about.since + 1 });
    await record(backupLate, { since: about.since });
    const low = { interfaceId: place?.id ?? "", name: "wg0", server: about.name, free: 3 };
    await record(addressesRanLow, low);
    await record(addressesRanLow, low);
    expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: anna.id } })).status).toBe(204);
    await deliver();

    const sent = receiver.bodies("/hook");
    for (const body of sent) webhookBody(body.type).strict().parse(body);
    const counts = Object.fromEntries(
      WEBHOOK_EVENTS.map((type) => [type, sent.filter((each) => each.type === type).length]),
    );
    expect(counts).toEqual({
      ...Object.fromEntries(WEBHOOK_EVENTS.map((type) => [type, 1])),
      // Once by its owner, once with its owner.
      "config.deleted": 2,
    });
    expect(sent.find(({ type }) => type === "payment.claimed").data).toEqual({
      memberId: vip.id,
      username: "grandee",
      period,
    });
    expect(sent.find(({ type }) => type === "member.deleted").data.username).toBe("anna");
    // Signatures, ids, times and ports sometimes contain any few letters or digits.
    const all = JSON.stringify(receiver.received).replaceAll(
      /v1,[\w+/=]+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|"\d{10}"|:\d{4,5}\b/g,
      "",
    );
    for (const secret of ["1234", "5678", "9876", "bank", "iPhone", invite, "vip", "2200"])
      expect(all.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test("of a rolled-back transaction is not sent", async () => {
    const { id } = await make();
    await club
      .transact(async (tx) => {
        await club.app.parts.events.record(tx, backupLate, { since: 0 });
        throw new Error("no");
      })
      .catch(() => {});
    await deliver();
    expect([receiver.received, await log(id)]).toEqual([[], []]);
  });

  test("is sent without any request", async () => {
    await make();
    await block(anna);
    await vi.waitFor(() => expect(typesAt("/hook")).toEqual(["member.blocked"]), PATIENCE);
  });

  test("many at once come in order, one request at a time, and the panel answers meanwhile", async () => {
    await make({ events: ["subscription.ended"] });
    const { members } = club.app.parts;
    const end = club.clock.now().getTime() - MINUTE_MS;
    const [model] = await members.byIds(club.db, [anna.id]);
    if (model === undefined) throw new Error("no member");
    await club.transact(async (tx) => {
      for (let n = 0; n < 300; n++) {
        const name = `m-${n}`;
        const own = { id: crypto.randomUUID(), username: name, username_key: name, display_name: name };
        await members.insert(tx, { ...model, ...own, subscription_end: end });
      }
    });
    await club.app.parts.inbox.remindOfEnds();
    const delivering = deliver();
    let mostBetweenAnswers = 0;
    while (receiver.received.length < 300) {
      const before = receiver.received.length;
      expect((await club.as(admin).call("GET /auth/me")).status).toBe(200);
      mostBetweenAnswers = Math.max(mostBetweenAnswers, receiver.received.length - before);
    }
    await delivering;
    expect(new Set(receiver.bodies("/hook").map(({ id }) => id)).size).toBe(300);
    expect(receiver.mostAtOnce()).toBe(1);
    expect(mostBetweenAnswers).toBeLessThan(30);
  });
});

describe("a receiver", () => {
  test("in trouble gets the delivery again after growing waits, and it is given up after the tenth try", async () => {
    const { id } = await make({ events: ["member.blocked"] });
    receiver.answer({ status: 500 });
    await block(anna);
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      await deliver();
      const [row] = await log(id);
      expect(row).toMatchObject({ attempts: tries, status: 500 });
      if (row?.nextAt == null) break;
      const wait = Date.parse(row.nextAt) - club.clock.now().getTime();
      waits.push(wait);
      await later(wait - 1);
      await deliver();
      expect(receiver.received).toHaveLength(tries);
      await later(1);
    }
    const steps = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200].map((seconds) => seconds * 1_000);
    expect(waits).toHaveLength(steps.length);
    for (const [index, step] of steps.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(step);
      // A fifth of jitter; the receiver's own pause is never longer than the wait here.
      expect(waits[index]).toBeLessThanOrEqual(step * 1.2 + 1);
    }
    expect(await log(id, "failed")).toMatchObject([{ state: "failed", attempts: 10, nextAt: null }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const times = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(new Set(times).size).toBe(10);
  });

  test("that fails three times in a row is paused, and holds up no other", async () => {
    const slow = await make({ url: receiver.at("/slow") });
    await make({ url: receiver.at("/well") });
    receiver.answer("silence", "/slow");
    const people = [anna, ...(await Promise.all([1, 2, 3, 4].map(() => club.member())))];
    for (const person of people) await block(person);
    await vi.waitFor(() => expect(receiver.bodies("/well")).toHaveLength(5), { timeout: 1_900, interval: 20 });
    await deliver();
    expect(receiver.bodies("/slow")).toHaveLength(3);
    expect((await log(slow.id)).map(({ attempts, problem }) => [attempts, problem])).toEqual([
      [0, null],
      [0, null],
      [1, "no answer in time"],
      [1, "no answer in time"],
      [1, "no answer in time"],
    ]);
    receiver.answer(null, "/slow");
    await later(MINUTE_MS);
    await deliver();
    expect(await log(slow.id, "delivered")).toHaveLength(5);
    expect((await list())[0]).toMatchObject({ failingSince: null, waiting: 0, failed: 0 });
  });

  test("that asks to wait is left alone until then", async () => {
    const { id } = await make();
    receiver.answer({ status: 429, headers: { "retry-after": "120" } });
    await block(anna);
    await deliver();
    const [row] = await log(id);
    expect(Date.parse(row?.nextAt ?? "") - club.clock.now().getTime()).toBe(120_000);
    receiver.answer(null);
    await block(anna, true);
    await later(119_000);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    await later(1_000);
    await deliver();
    expect(typesAt("/hook")).toEqual(["member.blocked", "member.unblocked", "member.blocked"]);
  });

  test("that answers 410 gets nothing more, and only admins learn why", async () => {
    const moderator = await club.moderator();
    const { id } = await make();
    receiver.answer({ status: 410 });
    await block(anna);
    await block(anna, true);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const [off] = await list();
    expect(off).toMatchObject({ enabled: false, offBecause: "gone", waiting: 0 });
    expect(off?.failed).toBeGreaterThan(0);
    expect(await club.app.parts.webhooks.backlog(club.db)).toEqual({ waiting: 0, failed: off?.failed });
    expect(await lookAtWork(checkWords.en, club.app, club.clock.now())).toContainEqual(
      expect.objectContaining({ code: "webhooks.off", level: "note" }),
    );
    await block(anna);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const told = async (who: Person) =>
      (await club.as(who).call("GET /inbox")).body.filter(({ kind }) => kind === "webhook_off");
    expect(await told(admin)).toMatchObject([{ params: { host: `other.example:${receiver.port}`, because: "gone" } }]);
    expect(await told(moderator)).toEqual([]);
    expect(await auditOf(club, id)).toContainEqual(
      expect.objectContaining({ action: "webhook.switched_off", actorId: null }),
    );
    expect((await sendTest(id)).code).toBe("webhook.off");
    await confirm();
    expect((await change(id, { enabled: true })).body).toMatchObject({ enabled: true, offBecause: null });
    receiver.answer(null);
    await deliver();
    expect(receiver.received, "what waited before is not sent").toHaveLength(1);
    await sendTest(id);
    await deliver();
    expect(typesAt("/hook").at(-1)).toBe("webhook.test");
  });

  test("that has only failed for three days is switched off", async () => {
    const { id } = await make();
    receiver.answer("cut");
    for (let day = 0; day < 3; day++) {
      await block(anna, day % 2 === 1);
      for (let tries = 0; tries < 5; tries++) {
        await deliver();
        await later(HOUR_MS);
      }
      expect((await list())[0]?.enabled).toBe(true);
      await later(DAY_MS - 5 * HOUR_MS + MINUTE_MS);
    }
    await deliver();
    expect((await list())[0]).toMatchObject({ id, enabled: false, offBecause: "failing" });
  });

  test.each([301, 302, 307, 308])("that redirects with %i is not followed", async (status) => {
    const { id } = await make();
    receiver.answer({ status, headers: { location: receiver.at("/elsewhere") } }, "/hook");
    await block(anna);
    await deliver();
    expect(receiver.received.map(({ url }) => new URL(url).pathname)).toEqual(["/hook"]);
    expect(await log(id)).toMatchObject([{ state: "waiting", status }]);
  });
});

describe("an address", () => {
  test.each([
    "http://other.example/hook",
    "https://user@other.example/hook",
    "https://:pass@other.example/hook",
    "https://other.example/hook#part",
    "ftp://other.example",
    "other.example",
    "",
  ])("%s is refused", async (url) => {
    await confirm();
    expect((await send({ url })).code).toBe("webhook.url_invalid");
  });

  test.each([
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "127.0.0.2",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "fe80::1",
    "fd00::1",
    "::ffff:10.0.0.1",
  ])("that resolves to %s is refused and named, even with a public one among the answers", async (address) => {
    await confirm();
    resolve("inside.example", "203.0.114.7", address);
    expect((await send({ url: "https://inside.example/" })).code).toBe("webhook.address_refused");
    const bare = address.includes(":") ? `[${address}]` : address;
    expect((await send({ url: `https://${bare}/` })).code).toBe("webhook.address_refused");
  });

  test("of one of the club's servers is refused, by its name too", async () => {
    const [server] = await club.app.parts.servers.all(club.db);
    await club.as(admin).call("PUT /admin/servers/{id}", {
      params: { id: server?.id ?? "" },
      body: { endpoint: "93.184.216.34" },
    });
    resolve("mine.example", "93.184.216.34");
    await confirm();
    expect((await send({ url: "https://mine.example/" })).code).toBe("webhook.address_refused");
    resolve("mine.example", "93.184.216.35");
    expect((await send({ url: "https://mine.example/" })).status).toBe(201);
  });

  test("that later becomes private is never called", async () => {
    const { id } = await make();
    resolve("other.example", "127.0.0.2");
    await block(anna);
    await deliver();
    expect(receiver.received).toEqual([]);
    expect(await log(id)).toMatchObject([
      { state: "waiting", attempts: 1, status: null, problem: "not an address of the internet" },
    ]);
    resolve("other.example", "127.0.0.1");
    await later(MINUTE_MS);
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test("is resolved once for each try, and the connection goes to that answer", async () => {
    await make();
    let asked = 0;
    const { find } = club.names;
    club.names.find = async (name: string) => {
      asked += 1;
      // A second lookup would lead elsewhere.
      return asked === 1 ? find.call(club.names, name) : { v4: ["127.0.0.2"], v6: [] };
    };
    await block(anna);
    await deliver();
    club.names.find = find;
    expect([asked, receiver.received.length]).toEqual([1, 1]);
  });
});

describe("a secret", () => {
  test("that is replaced signs next to the new one for a day, or not at all", async () => {
    const made = await make();
    await confirm();
    const replace = (keepFormer: boolean) =>
      club.as(admin).call("POST /admin/webhooks/{id}/secret", { params: { id: made.id }, body: { keepFormer } });
    const second = (await replace(true)).body;
    expect(Date.parse(second.formerSecretUntil ?? "")).toBe(club.clock.now().getTime() + DAY_MS);
    const signs = async (secret: string) => {
      await sendTest(made.id);
      await deliver();
      const { headers, body } = receiver.received.at(-1) ?? expect.unreachable();
      vi.setSystemTime(club.clock.now());
      try {
        new Webhook(secret).verify(body, headers);
        return true;
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    };
    expect([await signs(made.secret), await signs(second.secret)]).toEqual([true, true]);
    await later(DAY_MS);
    expect([await signs(made.secret), await signs(second.secret)]).toEqual([false, true]);
    await club.app.forgetOld();
    expect((await club.allRows()).get("webhooks")).toMatchObject([{ sealed_former_secret: null, former_until: null }]);
    await confirm();
    const third = (await replace(false)).body;
    expect([await signs(second.secret), await signs(third.secret)]).toEqual([false, true]);
  });

  test("and the address are stored sealed, are in no later answer, and the audit shows the host only", async () => {
    const { id, secret } = await make({ url: receiver.at("/T000/B000/token") });
    club.clock.advance(1);
    await change(id, { description: "Бот" });
    const rows = await club.allRows();
    expect(JSON.stringify([...rows])).not.toContain(secret.slice("whsec_".length));
    expect(JSON.stringify([...rows])).not.toContain("T000");
    expect(JSON.stringify(await list())).not.toContain(secret);
    expect(await auditOf(club, id)).toMatchObject([
      { action: "webhook.changed", after: { description: "Бот" } },
      { action: "webhook.added", after: { host: `other.example:${receiver.port}`, enabled: true } },
    ]);
  });
});

describe("a delivery", () => {
  test("can be resent by hand under the same id, with all its tries", async () => {
    const { id } = await make();
    receiver.answer({ status: 500 });
    await block(anna);
    await deliver();
    const [{ id: deliveryId } = expect.unreachable()] = await log(id);
    receiver.answer(null);
    expect((await redeliver(id, deliveryId)).status).toBe(202);
    await deliver();
    expect(await log(id)).toMatchObject([{ id: deliveryId, state: "delivered", attempts: 2, status: 204 }]);
    await redeliver(id, deliveryId);
    await deliver();
    expect(await log(id)).toMatchObject([{ state: "delivered", attempts: 3 }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([deliveryId]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const nobodys = "00000000-0000-4000-8000-000000000000";
    expect((await redeliver(id, nobodys)).code).toBe("webhook.delivery_not_found");
    expect((await redeliver(nobodys, deliveryId)).code).toBe("webhook.delivery_not_found");
  });

  test("that has waited for two days is not sent", async () => {
    const { id } = await make();
    // The receiver asks to wait for 11 hours, and nobody tries again meanwhile: as after a long stop of the panel.
    receiver.answer({ status: 429, headers: { "retry-after": "40000" } });
    await block(anna);
    await deliver();
    await later(2 * DAY_MS + MINUTE_MS);
    receiver.answer(null);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await log(id)).toMatchObject([{ state: "failed", problem: "too old" }]);
    const [{ id: deliveryId } = expect.unreachable()] = await log(id);
    await redeliver(id, deliveryId);
    await deliver();
    expect(receiver.received, "unless an admin asks for it").toHaveLength(2);
  });

  test("stays in the log for two weeks, page by page", async () => {
    const { id } = await make();
    for (let n = 0; n < 3; n++) {
      await block(anna, n % 2 === 1);
      await later(1_000);
    }
    await deliver();
    const call = "GET /admin/webhooks/{id}/deliveries" as const;
    const first = await club.as(admin).call(call, { params: { id }, query: { limit: 2 } });
    const cursor = first.headers.get("x-next-cursor") ?? expect.unreachable();
    const second = await club.as(admin).call(call, { params: { id }, query: { limit: 2, cursor } });
    expect([...first.body, ...second.body].map(({ event }) => event)).toEqual([
      "member.blocked",
      "member.unblocked",
      "member.blocked",
    ]);
    await later(13 * DAY_MS);
    await club.app.forgetOld();
    expect(await log(id)).toHaveLength(3);
    await later(DAY_MS);
    await club.app.forgetOld();
    expect(await log(id)).toEqual([]);
    expect((await club.allRows()).get("webhook_events")).toEqual([]);
  });

  test("survives restarts", async () => {
    await make();
    receiver.answer({ status: 503 });
    await block(anna);
    await deliver();
    await club.restart();
    receiver.answer(null);
    await later(MINUTE_MS);
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });
});

describe("permissions and limits", () => {
  test("of two who change one, the second sees what the first changed, and nothing is written", async () => {
    const made = await make({ description: "Бот" });
    expect((await change(made.id, { description: "Касса", expected: { description: "Бот" } })).status).toBe(200);
    const events: WebhookEvent[] = ["backup.late"];
    const late = await change(made.id, {
      description: "Мой бот",
      events,
      expected: { description: "Бот", events: made.events },
    });
    expect([late.status, late.code, detailsOf(late).fields]).toEqual([
      409,
      "webhook.changed_meanwhile",
      ["description"],
    ]);
    expect((await list())[0]).toMatchObject({ description: "Касса", events: made.events });
    const { url } = made;
    const knowing = await change(made.id, {
      url: receiver.at("/new"),
      events,
      enabled: false,
      expected: { url, events: made.events, enabled: true },
    });
    expect(knowing.body).toMatchObject({ url: receiver.at("/new"), events, enabled: false, description: "Касса" });
  });

  test("admins change webhooks, shortly after giving their password; tokens and moderators cannot even see them", async () => {
    await later(11 * MINUTE_MS);
    expect((await send()).code).toBe("auth.password_required");
    const { id } = await make();
    await later(11 * MINUTE_MS);
    expect((await change(id, { enabled: false })).code).toBe("auth.password_required");
    const body = { keepFormer: true };
    const replaced = await club.as(admin).call("POST /admin/webhooks/{id}/secret", { params: { id }, body });
    expect(replaced.code).toBe("auth.password_required");
    await confirm();
    const { token } = (
      await club.as(admin).call("POST /api-tokens", { body: { name: "x", scopes: ["system:read"], days: 1 } })
    ).body;
    expect((await club.withToken(token).call("GET /admin/webhooks")).code).toBe("api_token.not_for_tokens");
    expect((await club.as(await club.moderator()).call("GET /admin/webhooks")).code).toBe("auth.forbidden");
  });

  test("there are at most twenty, also if two are made at once; a deleted one is gone with its log", async () => {
    await confirm();
    for (let n = 1; n < MOST_WEBHOOKS; n++) {
      await send();
      club.clock.advance(1_100);
    }
    const other = await club.admin();
    await confirm(other);
    const codes = (await Promise.all([send(), send({}, other)])).map(({ code }) => code);
    expect(codes.toSorted()).toEqual(["webhook.too_many", undefined]);
    await block(anna);
    await deliver();
    const [{ id } = expect.unreachable()] = await list();
    const remove = () => club.as(admin).call("DELETE /admin/webhooks/{id}", { params: { id } });
    expect((await remove()).status).toBe(204);
    expect((await remove()).code).toBe("webhook.not_found");
    expect(await list()).toHaveLength(MOST_WEBHOOKS - 1);
    const left = (await club.allRows()).get("webhook_deliveries") ?? [];
    expect(left.filter((row) => row.webhook_id === id)).toEqual([]);
    expect(left).toHaveLength(MOST_WEBHOOKS - 1);
  });
});
