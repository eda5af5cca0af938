import type { Api } from "@krug/contract/api";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  type DoubleBrowser,
  newBrowser,
  type PushDouble,
  startPushDouble,
  subscriptionOf,
} from "../../../../testing/push-double.ts";
import { type Club, PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { configsDeletedByStaff } from "../../vpn/configs/index.ts";

/* Browsers show the club's notices to members who asked for them (ADR 61). */
const PATIENCE = { timeout: 20_000, interval: 20 };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ORIGIN = "https://club.example";
const environment = { PUBLIC_URL: ORIGIN, TRUSTED_PROXIES: "127.0.0.1" };
const THROUGH_PROXY = { "x-forwarded-host": "club.example", "x-forwarded-proto": "https" };

let service: PushDouble;
let club: Club;
let admin: Person;
let anna: Person;
beforeEach(async () => {
  service = await startPushDouble();
  club = await startClub({ environment, internetException: service.exception });
  for (const name of ["push.example", "other.example", "moved.example"]) resolve(name, "127.0.0.1");
  // By day in the club: 15:00 in Moscow.
  club.clock.advance(Date.parse("2026-11-23T12:00:00Z") - club.clock.now().getTime());
  admin = await club.admin();
  anna = await club.member({ username: "anna" });
});
afterEach(async () => {
  await club.stop();
  await service.close();
});

function resolve(name: string, ...addresses: string[]) {
  const isV6 = (address: string) => address.includes(":");
  club.names.known.set(name, { v4: addresses.filter((each) => !isV6(each)), v6: addresses.filter(isV6) });
}

type Call = keyof Api & string;
/** A call that comes through the proxy, under the club's own name. */
const ask = <Key extends Call>(who: Person | string, key: Key, sent: object = {}) =>
  (typeof who === "string" ? club.withToken(who) : club.as(who)).call(key, {
    headers: THROUGH_PROXY,
    ...sent,
  } as never);

const subscribe = (who: Person | string, browser: DoubleBrowser, language = "ru") =>
  ask(who, "POST /push", { body: { ...subscriptionOf(browser), language } });
const keep = async (who: Person | string, browser: DoubleBrowser, language = "ru") =>
  (await ask(who, "PUT /push/current", { body: { ...subscriptionOf(browser), language } })).body;
const aBrowserOf = async (
  who: Person | string,
  language = "ru",
  at: Parameters<PushDouble["at"]>[0] = "push.example",
) => {
  const browser = newBrowser(service.at(at));
  expect((await subscribe(who, browser, language)).status).toBe(201);
  return browser;
};
const browsersOf = async (who: Person | string) => (await ask(who, "GET /push")).body.browsers;
const signIn = async ({ username }: Person, userAgent = "curl/8") =>
  (
    await club.guest.call("POST /auth/login", {
      body: { username, password: PASSWORD },
      headers: { ...THROUGH_PROXY, "user-agent": userAgent },
    })
  ).body.token;

const pay = async (who = anna) => {
  const body = { userId: who.id, status: "paid", period: "2026-11" };
  expect((await ask(admin, "PUT /admin/payments/status", { body })).status).toBe(200);
};
const write = async (to: Person, message: string) => {
  const sent = await ask(admin, "POST /telegram/notify/{userId}", { params: { userId: to.id }, body: { message } });
  expect(sent.status).toBe(200);
};
const shows = (browser: DoubleBrowser, titles: readonly unknown[]) =>
  vi.waitFor(() => expect(service.shownBy(browser).map(({ title }) => title)).toEqual(titles), PATIENCE);
const PAID = "Платёж за ноябрь 2026 получен";
const WRITTEN = "Сообщение от администрации";
const outbox = async () => (await ask(admin, "GET /admin/outbox")).body.push;
const isEmpty = () => vi.waitFor(async () => expect(await outbox()).toMatchObject({ waiting: 0, failed: 0 }), PATIENCE);
const called = (times: number) => vi.waitFor(() => expect(service.calls).toHaveLength(times), PATIENCE);
/** The wait is by the club's clock, which may not move before. */
const isPutOff = () =>
  vi.waitFor(async () => {
    const waiting = (await club.allRows()).get("outbox") ?? [];
    expect(waiting.map(({ attempts }) => attempts)).toContain(1);
  }, PATIENCE);
/** Staff's second factor expires after a while. */
const later = async (ms: number) => {
  club.clock.advance(ms);
  if (ms >= HOUR_MS) admin = await club.admin();
};

describe("a notice", () => {
  test("reaches no browser until its member turns them on there", async () => {
    expect(await browsersOf(anna)).toEqual([]);
    await pay();
    const browser = await aBrowserOf(anna);
    await write(anna, "first");
    await shows(browser, [WRITTEN]);
  });

  test("is encrypted for the browser only, in its language, and signed with the club's key and address", async () => {
    const [russian, english] = [await aBrowserOf(anna), await aBrowserOf(await signIn(anna), "en")];
    await pay();
    await shows(russian, [PAID]);
    await shows(english, ["Payment for November 2026 received"]);
    const [told] = service.shownBy(russian);
    const { body: [notice] = [] } = await ask(anna, "GET /inbox");
    expect(told).toEqual({
      id: notice?.id,
      title: PAID,
      body: expect.stringMatching(/^Подписка действует до \d+ \S+/),
      path: "/dashboard",
      language: "ru",
    });
    const [sent] = service.pushed;
    const { publicKey } = (await ask(anna, "GET /push")).body;
    expect(sent?.claims).toMatchObject({ aud: service.at("push.example"), sub: ORIGIN, key: publicKey });
    expect(sent?.headers).toMatchObject({ ttl: "172800", urgency: "high" });
    expect(sent?.body.includes("Платёж")).toBe(false);
    await isEmpty();
  });

  test("contains nothing that people wrote, nor whom it is about: others may see the screen", async () => {
    const [hers, staffs] = [await aBrowserOf(anna), await aBrowserOf(admin)];
    await write(anna, "the code is 1234");
    await ask(anna, "POST /support/tickets", { body: { subject: "My bank", description: "…" } });
    await shows(hers, [WRITTEN]);
    await shows(staffs, ["Новое обращение"]);
    const all = JSON.stringify([service.shownBy(hers), service.shownBy(staffs)]);
    for (const secret of ["1234", "bank", "anna"]) expect(all).not.toContain(secret);
    expect(service.shownBy(staffs)[0]?.path).toBe("/admin/support");
  });

  test("fits into what push services accept, however long it is", async () => {
    const browser = await aBrowserOf(anna);
    const names = Array.from({ length: 200 }, (_, n) => `"устройство" ${n} 🚀`);
    await club.transact((tx) => club.app.parts.events.record(tx, configsDeletedByStaff, { memberId: anna.id, names }));
    await shows(browser, [expect.stringMatching(/^Удалено: 200\sконфигов$/)]);
    expect(service.pushed[0]?.bytes).toBeLessThan(3_200);
    expect(service.shownBy(browser)[0]?.body).toMatch(/^Их удалил администратор: .*…$/);
  });

  test("is not sent if its kind is off, if it was read in the panel, or to a blocked member", async () => {
    const browser = await aBrowserOf(anna);
    service.answer({ status: 503 });
    await write(anna, "first");
    await called(1);
    await isPutOff();
    const [notice] = (await ask(anna, "GET /inbox")).body;
    await ask(anna, "POST /inbox/read", { body: { ids: [notice?.id] } });
    await ask(anna, "PUT /inbox/choices", { body: { subscription: false } });
    await pay();
    service.answer(null);
    await later(HOUR_MS);
    await write(anna, "second");
    await shows(browser, [WRITTEN]);
    await isEmpty();
    // The session had expired, so nothing ended with it.
    await later(31 * DAY_MS);
    await ask(admin, "PUT /users/{id}", { params: { id: anna.id }, body: { isActive: false } });
    await write(anna, "third");
    await isEmpty();
    expect(service.pushed).toHaveLength(1);
  });

  test("waits in the quiet hours until morning, unless it answers an action", async () => {
    const browser = await aBrowserOf(anna);
    await later(9 * HOUR_MS);
    await write(anna, "night");
    await pay();
    await shows(browser, [PAID]);
    await later(8 * HOUR_MS);
    await write(anna, "morning");
    await shows(browser, [PAID, WRITTEN, WRITTEN]);
    await isEmpty();
  });
});

describe("a push service", () => {
  test("with trouble gets a browser's notices later, each once and in order, and holds up no other browser", async () => {
    const [slow, well] = [await aBrowserOf(anna), await aBrowserOf(await signIn(anna), "en", "other.example")];
    service.answer({ status: 502 }, slow);
    await pay();
    await later(1);
    await write(anna, "two");
    await shows(well, ["Payment for November 2026 received", "A message from the club's staff"]);
    await vi.waitFor(async () => expect(await outbox()).toMatchObject({ waiting: 2, failed: 0 }), PATIENCE);
    await isPutOff();
    service.answer(null, slow);
    await later(60_000);
    await write(anna, "three");
    await shows(slow, [PAID, WRITTEN, WRITTEN]);
    await isEmpty();
    expect(service.pushed.filter(({ endpoint }) => endpoint === well.endpoint)).toHaveLength(3);
  });

  test.each([
    ["seconds", () => "120"],
    ["a date", () => new Date(Date.now() + 120_500).toUTCString()],
  ])("that asks to wait by %s is left alone until then, and others are not", async (_, wait) => {
    const [busy, well] = [await aBrowserOf(anna), await aBrowserOf(await signIn(anna))];
    service.answer({ status: 429, headers: { "retry-after": wait() } }, busy);
    await pay();
    await shows(well, [PAID]);
    await vi.waitFor(async () => {
      const [row] = (await club.allRows()).get("outbox") ?? [];
      const waits = Number(row?.not_before) - club.clock.now().getTime();
      // Dates pass while the answer is on its way.
      expect(waits).toBeGreaterThan(90_000);
      expect(waits).toBeLessThanOrEqual(121_000);
    }, PATIENCE);
    service.answer(null, busy);
    await later(121_000);
    await write(anna, "two");
    await shows(busy, [PAID, WRITTEN]);
  });

  test.each([404, 410])(
    "that answers %i has lost the browser: it is deleted with what waits for it",
    async (status) => {
      const browser = await aBrowserOf(anna);
      service.answer({ status: 503 });
      await write(anna, "one");
      await write(anna, "two");
      await called(1);
      await isPutOff();
      service.answer({ status });
      await later(60_000);
      await write(anna, "three");
      await vi.waitFor(async () => expect(await browsersOf(anna)).toEqual([]), PATIENCE);
      await isEmpty();
      expect(service.shownBy(browser)).toEqual([]);
    },
  );

  test.each([400, 403, 413, 302])(
    "that answers %i gets no retry; staff see its name and the answer, no more",
    async (status) => {
      const browser = await aBrowserOf(anna);
      service.answer({ status, headers: { location: `${service.at("other.example")}/push/elsewhere` } });
      await pay();
      await vi.waitFor(
        async () =>
          expect(await outbox()).toMatchObject({
            waiting: 0,
            failed: 1,
            reason: `push.example:${service.port} answered ${status}`,
          }),
        PATIENCE,
      );
      expect(service.calls).toEqual([browser.endpoint]);
      expect(await browsersOf(anna)).toHaveLength(1);
    },
  );

  test("that never answers times out, and is tried again later", async () => {
    await aBrowserOf(anna);
    service.answer("silence");
    await pay();
    await isPutOff();
    expect(service.calls).toHaveLength(1);
  });

  test("that could not be reached for two days loses the browser, and staff see why", async () => {
    await aBrowserOf(anna);
    service.answer({ status: 500 });
    await pay();
    await called(1);
    await isPutOff();
    await later(2 * DAY_MS + HOUR_MS);
    await write(admin, "wakes the sender");
    await vi.waitFor(async () => expect(await outbox()).toMatchObject({ waiting: 0, failed: 1 }), PATIENCE);
    expect(await browsersOf(anna)).toEqual([]);
    await later(8 * DAY_MS);
    await club.app.forgetOld();
    expect(await outbox()).toMatchObject({ failed: 0 });
  });
});

test("a restart loses nothing", async () => {
  const browser = await aBrowserOf(anna);
  service.answer({ status: 503 });
  await pay();
  await called(1);
  await club.restart();
  service.answer(null);
  await later(60_000);
  await write(anna, "and more");
  await shows(browser, [PAID, WRITTEN]);
});

test("the database stores the club's private key sealed", async () => {
  const { publicKey } = (await ask(anna, "GET /push")).body;
  const rows = (await club.allRows()).get("push_keys");
  expect(rows).toEqual([{ name: "club", public_key: publicKey, sealed_private_key: expect.stringMatching(/^v2\./) }]);
  const { privateKey } = await club.app.parts.push.keys();
  expect(JSON.stringify([...(await club.allRows())])).not.toContain(privateKey);
});

test("the database stores no endpoint unsealed", async () => {
  const browser = await aBrowserOf(anna);
  const stored = JSON.stringify([...(await club.allRows())]);
  for (const part of [browser.endpoint, new URL(browser.endpoint).pathname, subscriptionOf(browser).keys.auth])
    expect(stored).not.toContain(part);
});

describe("a browser", () => {
  test("is only in its member's list, and nobody else can remove it", async () => {
    const phone = await signIn(anna, "Mozilla/5.0 (Linux; Android 15) Chrome/143.0 Mobile Safari/537.36");
    await aBrowserOf(phone);
    const [row] = await browsersOf(phone);
    expect(row).toMatchObject({ device: "Chrome, Android", current: true });
    expect(await browsersOf(anna)).toMatchObject([{ id: row?.id, current: false }]);
    const boris = await club.member();
    expect(await browsersOf(boris)).toEqual([]);
    const remove = (who: Person) => ask(who, "DELETE /push/{id}", { params: { id: row?.id } });
    expect((await remove(boris)).code).toBe("push.not_found");
    expect((await remove(anna)).status).toBe(204);
    expect((await remove(anna)).code).toBe("push.not_found");
    expect(await browsersOf(phone)).toEqual([]);
  });

  test("has one subscription, and a member at most ten browsers, also if two subscribe at once", async () => {
    await aBrowserOf(anna);
    const again = await aBrowserOf(anna);
    expect(await browsersOf(anna)).toHaveLength(1);
    for (let n = 0; n < 8; n++) await aBrowserOf(await signIn(anna));
    const tokens = [await signIn(anna), await signIn(anna)];
    const answers = await Promise.all(tokens.map((token) => subscribe(token, newBrowser(service.at("push.example")))));
    expect(answers.map(({ code }) => code).sort()).toEqual(["push.too_many", undefined]);
    expect(answers.find(({ code }) => code)?.message).toMatch(/10/);
    expect(await browsersOf(anna)).toHaveLength(10);
    expect((await subscribe(anna, again)).status, "the one that is there may ask again").toBe(201);
  });

  test("shows nothing more once its member signs out there or the session is ended from elsewhere", async () => {
    const [here, there] = [await signIn(anna), await signIn(anna)];
    for (const token of [here, there]) await aBrowserOf(token);
    await aBrowserOf(anna);
    expect((await ask(here, "POST /auth/logout")).status).toBe(204);
    expect(await browsersOf(anna)).toHaveLength(2);
    const sessions = (await ask(there, "GET /auth/sessions")).body;
    const id = sessions.find(({ current }) => current)?.id;
    await ask(anna, "DELETE /auth/sessions/{id}", { params: { id } });
    expect(await browsersOf(anna)).toMatchObject([{ current: true }]);
  });

  test("outlives a session that expires, but no new password, block or deletion", async () => {
    const other = await signIn(anna);
    await aBrowserOf(other);
    await later(31 * DAY_MS);
    await club.app.forgetOld();
    expect((await ask(other, "GET /auth/me")).status).toBe(401);
    const back = await signIn(anna);
    expect(await browsersOf(back)).toHaveLength(1);
    const body = { currentPassword: PASSWORD, newPassword: "another password" };
    expect((await ask(back, "POST /users/change-password", { body })).status).toBe(200);
    expect(await browsersOf(back)).toEqual([]);

    for (const end of ["block", "delete"] as const) {
      const boris = await club.member();
      await aBrowserOf(boris);
      await later(31 * DAY_MS);
      await club.app.forgetOld();
      const params = { id: boris.id };
      const answer = await (end === "block"
        ? ask(admin, "PUT /users/{id}", { params, body: { isActive: false } })
        : ask(admin, "DELETE /users/{id}", { params }));
      expect(answer.status).toBeLessThan(300);
      expect((await club.allRows()).get("push_subscriptions"), end).toEqual([]);
    }
  });

  test("is kept over a new sign-in, in another language, and at a new address; nobody else's is", async () => {
    const browser = await aBrowserOf(anna);
    await later(31 * DAY_MS);
    const back = await signIn(anna);
    expect(await keep(back, browser, "en")).toEqual({ here: true });
    expect(await browsersOf(back)).toMatchObject([{ current: true }]);
    const moved = newBrowser(service.at("moved.example"));
    expect(await keep(back, moved, "en")).toEqual({ here: true });
    await write(anna, "here I am");
    await shows(moved, ["A message from the club's staff"]);
    expect(service.shownBy(browser)).toEqual([]);

    const boris = await club.member();
    expect(await keep(boris, newBrowser(service.at("push.example")))).toEqual({ here: false });
    expect(await browsersOf(boris)).toEqual([]);
    // He signs in at a browser that still shows her notices: they end, and his do not begin.
    expect(await keep(boris, moved)).toEqual({ here: false });
    expect(await browsersOf(back)).toEqual([]);
    expect(await browsersOf(boris)).toEqual([]);
  });

  test("not seen by the panel for half a year is deleted", async () => {
    await aBrowserOf(anna);
    await later(179 * DAY_MS);
    await club.app.forgetOld();
    expect((await club.allRows()).get("push_subscriptions")).toHaveLength(1);
    await later(2 * DAY_MS);
    await club.app.forgetOld();
    expect((await club.allRows()).get("push_subscriptions")).toEqual([]);
  });

  test("is in a member's data export, without its address", async () => {
    const browser = await aBrowserOf(anna);
    const { body } = await ask(anna, "GET /users/me/export");
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(JSON.parse(text).notifiedBrowsers).toEqual([{ device: "Test", language: "ru", since: expect.any(String) }]);
    expect(text).not.toContain(new URL(browser.endpoint).pathname);
  });
});

describe("an address", () => {
  const subscribeAt = (endpoint: string, keys = {}) => {
    const { keys: own } = subscriptionOf(newBrowser(service.at("push.example")));
    return ask(anna, "POST /push", { body: { endpoint, keys: { ...own, ...keys }, language: "ru" } });
  };

  const written = (address: string) => (address.includes(":") ? `[${address}]` : address);

  test("that resolves outside the internet is refused, as a name and as a number", async () => {
    const closed = [
      ...["127.0.0.2", "10.0.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"],
      ...["224.0.0.1", "255.255.255.255", "198.18.0.1"],
      ...["::1", "::", "::ffff:127.0.0.2", "::ffff:8.8.8.8", "0:0:0:0:0:ffff:a00:1", "::127.0.0.2", "64:ff9b::7f00:2"],
      ...["::ffff:0:7f00:2", "2001:2::1", "2001:20::1", "3fff::1", "5f00::1"],
      ...["2002:7f00:1::", "fd00::1", "fe80::1", "fec0::1", "ff02::1"],
    ];
    for (const [n, address] of closed.entries()) {
      resolve(`rogue-${n}.example`, address);
      for (const host of [`rogue-${n}.example`, written(address)])
        expect(await subscribeAt(`https://${host}/push/1`), `${address} as ${host}`).toMatchObject({
          status: 400,
          code: "push.address_refused",
        });
    }
    resolve("half.example", "1.2.3.4", "10.0.0.1");
    expect((await subscribeAt("https://half.example/push/1")).code).toBe("push.address_refused");
  });

  test("on the internet is accepted, as a name and as a number", async () => {
    for (const [n, addresses] of [
      ["1.2.3.4"],
      ["223.255.255.254"],
      ["2606:4700::1111"],
      ["1.2.3.4", "2606:4700::1111"],
    ].entries()) {
      resolve(`far-${n}.example`, ...addresses);
      for (const host of [`far-${n}.example`, ...addresses.map(written)])
        expect((await subscribeAt(`https://${host}/push/${n}`)).status, host).toBe(201);
    }
  });

  test("other than https, with a name and password, or that does not exist is refused", async () => {
    for (const endpoint of [
      "http://push.example/1",
      "ftp://push.example/1",
      "https://anna:secret@push.example/1",
      "https://push.example/1#x",
      `https://push.example/${"a".repeat(2_048)}`,
      "https://",
      "push.example",
    ])
      expect((await subscribeAt(endpoint)).code, endpoint).toBe("request.invalid");
    expect((await subscribeAt("https://nowhere.example/1")).code).toBe("push.address_refused");
    // In other notations, still 127.0.0.2.
    for (const host of ["0x7f.0.0.2", "2130706434", "127.2", "%31%32%37.0.0.2"])
      expect((await subscribeAt(`https://${host}/1`)).code, host).toBe("push.address_refused");
  });

  test("with keys that are no point of the curve, too short or too long is refused", async () => {
    const notOnCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url");
    expect((await subscribeAt(`${service.at("push.example")}/1`, { p256dh: notOnCurve })).code).toBe(
      "push.keys_invalid",
    );
    for (const keys of [{ p256dh: notOnCurve.slice(1) }, { auth: "short" }, { auth: "a".repeat(23) }, { more: "x" }])
      expect((await subscribeAt(`${service.at("push.example")}/1`, keys)).code, JSON.stringify(keys)).toBe(
        "request.invalid",
      );
  });

  test("that was on the internet and later leads to this machine is never called", async () => {
    const browser = await aBrowserOf(anna, "ru", "moved.example");
    resolve("moved.example", "127.0.0.2");
    await pay();
    await vi.waitFor(
      async () =>
        expect(await outbox()).toMatchObject({
          waiting: 0,
          failed: 1,
          reason: `moved.example:${service.port}: not an address of the internet`,
        }),
      PATIENCE,
    );
    expect(service.calls).toEqual([]);
    expect(service.shownBy(browser)).toEqual([]);
    expect(await browsersOf(anna)).toEqual([]);
  });

  test("is resolved once per sending, and the resolved address is called", async () => {
    const browser = await aBrowserOf(anna, "ru", "moved.example");
    const { asked } = club.names;
    const before = asked.length;
    const known = club.names.known.get("moved.example");
    // A second lookup leads elsewhere.
    club.names.known.get = (name) => {
      const isFirst = asked.filter((each) => each === name).length === before + 1;
      return isFirst ? known : { v4: ["10.0.0.1"], v6: [] };
    };
    await pay();
    await shows(browser, [PAID]);
    expect(asked.slice(before)).toEqual(["moved.example"]);
  });

  test("that no resolver knows at the moment is called later", async () => {
    const browser = await aBrowserOf(anna);
    club.names.away = true;
    await pay();
    await vi.waitFor(async () => expect((await club.allRows()).get("outbox")?.[0]?.attempts).toBe(1), PATIENCE);
    club.names.away = false;
    await later(60_000);
    await write(anna, "more");
    await shows(browser, [PAID, WRITTEN]);
  });
});

test("without the test's exception the double on this machine is refused like any other loopback", async () => {
  const strict = await startClub({ environment });
  onTestFinished(() => strict.stop());
  strict.names.known.set("push.example", { v4: ["127.0.0.1"], v6: [] });
  const body = { ...subscriptionOf(newBrowser(service.at("push.example"))), language: "ru" as const };
  const answer = await strict.as(await strict.member()).call("POST /push", { body, headers: THROUGH_PROXY });
  expect(answer.code).toBe("push.address_refused");
});

test("a club without an https address of its own offers no push", async () => {
  const plain = await startClub();
  onTestFinished(() => plain.stop());
  const caller = plain.as(await plain.member());
  expect((await caller.call("GET /push")).body).toEqual({ publicKey: null, browsers: [] });
  const body = { ...subscriptionOf(newBrowser(service.at("push.example"))), language: "ru" as const };
  expect((await caller.call("POST /push", { body })).code).toBe("push.unavailable");
});
