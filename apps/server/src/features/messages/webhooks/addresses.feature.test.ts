import { MOST_WEBHOOKS, type WebhookEvent } from "@krug/domain/webhook-rules";
import { Webhook } from "standardwebhooks";
import { describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { detailsOf } from "../../../../testing/details-of.ts";
import {
  admin,
  anna,
  block,
  change,
  club,
  confirm,
  DAY_MS,
  deliver,
  later,
  list,
  log,
  MINUTE_MS,
  make,
  openClubWithReceiver,
  receiver,
  resolve,
  send,
  sendTest,
} from "../../../../testing/webhook-club.ts";

openClubWithReceiver();

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
