import { generateKeyPair } from "@krug/wireguard/keys";
import jsQR from "jsqr";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import {
  askBot,
  botWorks as botOfWorks,
  codeFor as codeOf,
  withBot as environmentWithBot,
  linkTelegram,
} from "../../../../testing/link-telegram.ts";
import { listen } from "../../../../testing/listen.ts";
import { type Club, type NewPerson, type Person, startClub } from "../../../../testing/start-club.ts";
import {
  DOUBLE_TOKEN,
  startTelegramDouble,
  type TelegramDouble,
  type TelegramPerson,
} from "../../../../testing/telegram-double.ts";
import { makeLeases } from "../../../platform/leases.ts";

const MINUTE_MS = 60_000;
const PATIENCE = { timeout: 20_000, interval: 20 };
const RU = { "accept-language": "ru" };
const marinaThere: TelegramPerson = { id: 501, first_name: "Марина", username: "marina_k", language_code: "ru" };
const strangerThere: TelegramPerson = { id: 502, first_name: "Глеб", language_code: "ru" };

let telegram: TelegramDouble;
let club: Club;
let marina: Person;
beforeEach(async () => {
  telegram = await startTelegramDouble();
  club = await startClub({ environment: withBot() });
  marina = await club.member({ username: "marina" });
  await botWorks();
});
afterEach(async () => {
  await club.stop();
  await telegram.close();
});

const withBot = (token = DOUBLE_TOKEN) => environmentWithBot(telegram, token);
const botWorks = (of = club) => botOfWorks(of);
const ask = (person: TelegramPerson, text: string) => askBot(telegram, person, text);
const generate = (who: Person) =>
  club.as(who).call("POST /auth/telegram/generate-code", { body: { userId: who.id }, headers: RU });
const codeFor = (who: Person) => codeOf(club, who);
const statusOf = async (who: Person) => (await club.as(who).call("GET /auth/telegram/status")).body;
const isConnected = async (who: Person) => (await statusOf(who)).telegramConnected;
const link = async (who = marina, person = marinaThere) => {
  await linkTelegram(club, telegram, who, person);
  expect(await isConnected(who)).toBe(true);
};

describe("a member who forgot the password", () => {
  const asksIn = async (address: string | null, isStaff = false) => {
    await club.stop();
    club = await startClub({ environment: { ...withBot(), ...(address === null ? {} : { PUBLIC_URL: address }) } });
    const member = await (isStaff ? club.moderator() : club.member({ username: "vera" }));
    await club.transact(async (tx) => {
      const { members } = club.app.parts;
      await members.linkMessenger(tx, member.id, { telegramId: "501", name: "vera", language: "ru" });
    });
    return member;
  };

  test("gets a link from the bot after a question; only the newest works, once", async () => {
    const vera = await asksIn("http://club.example");
    expect(await ask(marinaThere, "/password")).toMatch(/^Прислать ссылку/);
    const links: string[] = [];
    for (const _ of [1, 2]) {
      await ask(marinaThere, "/password");
      telegram.press(marinaThere, "Прислать");
      links.push(
        await vi.waitFor(() => {
          const text = telegram.messagesTo(marinaThere).at(-1)?.text ?? "";
          const link = /http:\/\/club\.example\/password#user=\w+&token=(\S+)/.exec(text)?.[1];
          if (link === undefined) throw new Error("no link yet");
          return link;
        }, PATIENCE),
      );
    }
    const set = (token = "") =>
      club.as(vera).call("POST /auth/set-password", { body: { token, password: "a new Password 1" } });
    expect((await set(links[0])).code).toBe("auth.link_invalid");
    expect((await set(links[1])).status).toBe(200);
    expect((await set(links[1])).code).toBe("auth.link_invalid");
  });

  test.each([
    ["without an address of the panel", null, false],
    ["as staff", "http://club.example", true],
  ])("must ask the administrator %s", async (_, address, isStaff) => {
    await asksIn(address, isStaff);
    expect(await ask(marinaThere, "/password")).toMatch(/только администратор клуба/);
  });
});

describe("linking", () => {
  test("a code from the panel, sent to the bot, links the account, and the panel shows it by itself", async () => {
    const { status, body } = await generate(marina);
    expect(status).toBe(200);
    expect(body.telegramCode).toMatch(/^[A-HJKMNP-Z2-9]{6}$/);
    expect(body.deepLink).toBe(`https://t.me/krug_club_bot?start=${body.telegramCode}`);
    expect(Date.parse(body.expiresAt) - club.clock.now().getTime()).toBe(10 * MINUTE_MS);
    expect(await statusOf(marina)).toEqual({
      telegramConnected: false,
      enabled: true,
      required: true,
      botName: "krug_club_bot",
      account: null,
      botBlocked: false,
    });
    expect(await ask(marinaThere, `/start ${body.telegramCode}`)).toBe(
      "Готово: этот Telegram привязан к аккаунту marina. Можно вернуться на страницу клуба.\n\nПодписка и устройства: /status. Всё, что умеет бот: /help.",
    );
    expect(await statusOf(marina)).toMatchObject({ telegramConnected: true, account: "@marina_k" });
    expect((await club.as(marina).call("GET /auth/me")).body.telegramConnected).toBe(true);
    const { body: kept } = await club.as(marina).call("GET /users/me/export");
    expect(kept).toMatchObject({ account: { telegram: { id: "501", name: "@marina_k", botBlockedSince: null } } });
    expect((await generate(marina)).code).toBe("telegram.already_linked");
  });

  test("the code by itself works, in any case, and the bot speaks English if Telegram is in English", async () => {
    const answer = await ask({ ...marinaThere, language_code: "en-GB" }, ` ${(await codeFor(marina)).toLowerCase()} `);
    expect(answer).toContain("Done: this Telegram is linked to the account marina.");
  });

  test("asking again answers the same code, and a new one if the old one is about to expire", async () => {
    const first = await codeFor(marina);
    club.clock.advance(7 * MINUTE_MS);
    expect(await codeFor(marina)).toBe(first);
    club.clock.advance(2 * MINUTE_MS);
    const second = await codeFor(marina);
    expect(second).not.toBe(first);
    expect(await ask(marinaThere, `/start ${first}`)).toMatch(/^Код не подошёл/);
    await ask(marinaThere, `/start ${second}`);
    expect(await isConnected(marina)).toBe(true);
  });

  test("a code is valid for ten minutes and for one account", async () => {
    const code = await codeFor(marina);
    club.clock.advance(10 * MINUTE_MS);
    expect(await ask(marinaThere, `/start ${code}`)).toMatch(/^Код не подошёл/);
    const fresh = await codeFor(marina);
    await ask(marinaThere, `/start ${fresh}`);
    expect(await ask(strangerThere, `/start ${fresh}`)).toMatch(/^Код не подошёл/);
    expect(await statusOf(marina)).toMatchObject({ telegramConnected: true, account: "@marina_k" });
  });

  test("one Telegram account links one member until unlinked, and learns nothing about other codes", async () => {
    await link();
    const boris = await club.member({ username: "boris" });
    const code = await codeFor(boris);
    const answer = await ask(marinaThere, `/start ${code}`);
    expect(answer).toMatch(/^Этот Telegram привязан к аккаунту marina\./);
    expect(await ask(marinaThere, "/start ZZZZZZ")).toBe(answer);
    expect(await isConnected(boris)).toBe(false);
    await ask(marinaThere, "/unlink");
    telegram.press(marinaThere, "Отвязать");
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(false), PATIENCE);
    expect(await ask(marinaThere, `/start ${code}`)).toContain("привязан к аккаунту boris");
  });

  test("guessing bans the account for growing times; a right code during a ban does not count", async () => {
    for (let n = 0; n < 5; n++) expect(await ask(strangerThere, "/start ZZZZZZ")).toMatch(/^Код не подошёл/);
    const code = await codeFor(marina);
    expect(await ask(strangerThere, `/start ${code}`)).toBe("Слишком много неверных кодов. Попробуйте через 5 мин.");
    expect(await isConnected(marina)).toBe(false);
    // Others are not affected.
    await link();
    club.clock.advance(5 * MINUTE_MS);
    expect(await ask(strangerThere, "/start ZZZZZZ")).toMatch(/^Код не подошёл/);
    expect(await ask(strangerThere, "/start ZZZZZZ")).toBe("Слишком много неверных кодов. Попробуйте через 10 мин.");
  });

  test("a blocked or deleted member's code does not link", async () => {
    const admin = club.as(await club.admin());
    const code = await codeFor(marina);
    await admin.send("PUT", `/api/users/${marina.id}`, { isActive: false });
    expect(await ask(marinaThere, `/start ${code}`)).toContain("Ваш аккаунт заблокирован.");
    expect((await admin.call("DELETE /users/{id}", { params: { id: marina.id } })).status).toBe(204);
    expect(await ask(marinaThere, `/start ${code}`)).toMatch(/^Код не подошёл/);
  });

  test("members request codes for themselves only, and there are none while no bot answers", async () => {
    const boris = await club.member();
    const call = { body: { userId: boris.id } };
    expect((await club.as(marina).call("POST /auth/telegram/generate-code", call)).code).toBe("auth.not_yourself");
    const silent = await startClub();
    onTestFinished(() => silent.stop());
    const vera = await silent.member();
    const answer = await silent.as(vera).call("POST /auth/telegram/generate-code", { body: { userId: vera.id } });
    expect([answer.status, answer.code]).toEqual([503, "telegram.unavailable"]);
  });

  test("in a group the bot is silent", async () => {
    telegram.sayInGroup(marinaThere, `/start ${await codeFor(marina)}`);
    await ask(strangerThere, "/help");
    expect(await isConnected(marina)).toBe(false);
  });
});

test("an open page learns of changes made in the bot", async () => {
  const page = await listen(`${club.origin}/api/events`, { token: marina.token });
  onTestFinished(() => page.leave());
  const changed = { event: "changed", data: { topic: "account" }, id: undefined };
  await link();
  expect(await page.next()).toEqual(changed);
  telegram.block(marinaThere);
  expect(await page.next()).toEqual(changed);
  telegram.unblock(marinaThere);
  expect(await page.next()).toEqual(changed);
});

describe("unlinking", () => {
  const unlinkCode = (who: Person) =>
    club.as(who).call("GET /auth/telegram/unlink-code/{id}", { params: { id: who.id } });
  const unlink = (who: Person, confirmationCode: string) =>
    club.as(who).call("POST /auth/telegram/unlink", { body: { userId: who.id, confirmationCode }, headers: RU });

  test("in the panel takes the code that it shows", async () => {
    await link();
    const { code } = (await unlinkCode(marina)).body;
    expect((await unlinkCode(marina)).body.code).toBe(code);
    const wrong = await unlink(marina, code === "ZZZZZZ" ? "YYYYYY" : "ZZZZZZ");
    expect([wrong.status, wrong.code, wrong.message]).toEqual([
      400,
      "telegram.wrong_code",
      "Неверный код подтверждения",
    ]);
    expect(await isConnected(marina)).toBe(true);
    expect((await unlink(marina, code.toLowerCase())).body).toEqual({ telegramConnected: false });
    expect(await isConnected(marina)).toBe(false);
    expect((await unlink(marina, code)).code).toBe("telegram.not_connected");
    expect((await unlinkCode(marina)).code).toBe("telegram.not_connected");
    await link();
  });

  test("the code is valid for ten minutes, and a linking code does not work", async () => {
    const linking = await codeFor(marina);
    await link();
    const { code } = (await unlinkCode(marina)).body;
    expect((await unlink(marina, linking)).code).toBe("telegram.wrong_code");
    club.clock.advance(10 * MINUTE_MS);
    expect((await unlink(marina, code)).code).toBe("telegram.code_expired");
    expect((await unlink(marina, (await unlinkCode(marina)).body.code)).status).toBe(200);
  });

  test("members unlink themselves only, by id or by name", async () => {
    await link();
    const boris = club.as(await club.member());
    const params = { id: marina.id };
    expect((await boris.call("GET /auth/telegram/unlink-code/{id}", { params })).code).toBe("auth.not_yourself");
    const body = { userId: marina.id, confirmationCode: "ZZZZZZ" };
    expect((await boris.call("POST /auth/telegram/unlink", { body })).code).toBe("auth.not_yourself");
    const byName = await club.as(marina).call("GET /auth/telegram/unlink-code/{id}", { params: { id: "Marina" } });
    expect(byName.status).toBe(200);
  });

  test("the bot asks first, and a second press changes nothing", async () => {
    await link();
    expect(await ask(marinaThere, "/unlink")).toMatch(/^Отвязать этот Telegram от аккаунта marina\?/);
    telegram.press(marinaThere, "Оставить");
    await vi.waitFor(
      () => expect(telegram.messagesTo(marinaThere).at(-1)?.text).toBe("Хорошо, всё осталось как было."),
      PATIENCE,
    );
    expect(await isConnected(marina)).toBe(true);
    await ask(marinaThere, "/unlink");
    telegram.press(marinaThere, "Отвязать");
    telegram.press(marinaThere, "Отвязать");
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(false), PATIENCE);
    expect(await ask(marinaThere, "/status")).toMatch(/^Этот Telegram ни к чему не привязан\./);
  });

  test("the outcome comes in a new message if the question can no longer be edited", async () => {
    await link();
    await ask(marinaThere, "/unlink");
    telegram.refuse("answerCallbackQuery", "editMessageText");
    telegram.press(marinaThere, "Отвязать");
    await vi.waitFor(
      () => expect(telegram.messagesTo(marinaThere).at(-1)?.text).toMatch(/marina.*отвязан|отвязан.*marina/),
      PATIENCE,
    );
    expect(await isConnected(marina)).toBe(false);
  });
});

describe("the bot's answers", () => {
  test("/status shows the subscription and the number of devices; /configs shows each one's state", async () => {
    const boris = await club.member({ username: "boris", subscriptionEnd: Date.parse("2026-12-12T20:59:59Z") });
    await link(boris, strangerThere);
    expect(await ask(strangerThere, "/configs")).toBe("Пока ни одного устройства. Создайте первое на странице клуба.");
    for (const name of ["laptop", "pixel"]) {
      await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) });
      club.clock.advance(1_000);
    }
    const [laptop] = club.host.peers();
    club.host.use(laptop?.publicKey ?? "", { rx: 1, tx: 1 }, club.clock.now().getTime());
    await club.app.parts.reconciler.readAll();
    expect(await ask(strangerThere, "/status")).toBe(
      "Аккаунт: boris\nПодписка до 12 декабря 2026 г.\nУстройства: 2 из 3",
    );
    expect(await ask(strangerThere, "/configs")).toBe(
      "laptop: на связи\npixel: ещё не подключался\n\nЧтобы получить файл и QR-код устройства, нажмите на его имя.",
    );
    club.clock.advance(3 * 60 * MINUTE_MS);
    expect(await ask({ ...strangerThere, language_code: "en" }, "/configs")).toBe(
      "laptop: connected 3 hours ago\npixel: not connected yet\n\nTo get a device's file and QR code, press its name.",
    );
  });

  test("/status and /configs describe the subscription and devices as the page does", async () => {
    await club.as(await club.admin()).call("PUT /admin/settings", { body: { graceHours: 48 } });
    const [ended, inGrace] = [Date.parse("2026-02-01T12:00:00Z"), Date.parse("2026-11-20T20:59:59Z")];
    const used = Date.parse("2026-11-30T21:00:00Z");
    const saysTo = async (id: number, wish: NewPerson) => {
      const person = { ...strangerThere, id };
      const member = await club.member({ username: `m${id}`, ...wish });
      await link(member, person);
      const lines = (await ask(person, "/status")).split("\n");
      expect([lines[0], lines.at(-1)]).toEqual([
        `Аккаунт: m${id}`,
        wish.configLimit === -1 ? "Устройства: 0" : "Устройства: 0 из 3",
      ]);
      return lines.slice(1, -1).join("\n");
    };
    expect([
      await saysTo(601, { row: { is_unlimited: 1 }, configLimit: -1 }),
      await saysTo(602, { subscriptionEnd: null }),
      await saysTo(603, { subscriptionEnd: ended }),
      await saysTo(604, { row: { subscription_source: "trial" } }),
      await saysTo(605, { subscriptionEnd: inGrace }),
      await saysTo(606, { subscriptionEnd: ended, row: { referral_earned_at: ended } }),
      await saysTo(607, { subscriptionEnd: inGrace, row: { quota_used_up_until: used } }),
    ]).toEqual([
      "Безлимитная подписка",
      "Подписка: не активна",
      "Подписка истекла 1 февраля 2026 г.",
      "Пробный период до 21 декабря 2026 г.",
      "Подписка истекла 20 ноября 2026 г., устройства работают до 22 ноября 2026 г. в 23:59",
      "Подписка: бессрочно, пока подписка активна у трёх ваших друзей",
      "Подписка истекла 20 ноября 2026 г.\nТрафик на этот месяц израсходован, VPN включится сам 1 декабря 2026 г.",
    ]);
    await link();
    await club.as(marina).call("POST /vpn/configs", { body: await configInput(club, marina, { name: "pixel" }) });
    club.clock.advance(40 * 24 * 60 * MINUTE_MS);
    await vi.waitFor(
      async () => expect(await ask(marinaThere, "/configs")).toMatch(/^pixel: отключён: нет подписки\n/),
      PATIENCE,
    );
  });

  test("a stranger is shown how to link, with the club's address if there is one", async () => {
    for (const text of ["/start", "/status", "/configs", "/unlink", "привет"])
      expect(await ask(strangerThere, text)).toMatch(/«Настройки», «Telegram»/);
    expect(await ask(strangerThere, "/help")).toContain("/unlink: отвязать");
  });

  test("a long list of devices is cut before a message would be too long", async () => {
    const boris = await club.member({ username: "boris", configLimit: -1 });
    await link(boris, strangerThere);
    const wish = await configInput(club, boris);
    for (let n = 0; n < 43; n++)
      await club.as(boris).call("POST /vpn/configs", { body: { ...wish, name: `device-${n}` } });
    const lines = (await ask(strangerThere, "/configs")).split("\n");
    expect([lines.length, lines[40]]).toEqual([43, "и ещё 3"]);
    expect(telegram.messagesTo(strangerThere).at(-1)?.buttons).toHaveLength(20);
  });

  test("under maintenance it says so, as the panel does, and accepts no code", async () => {
    const code = await codeFor(marina);
    await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
    expect(await ask(marinaThere, `/start ${code}`)).toBe(
      "Система находится на техническом обслуживании. Попробуйте позже.",
    );
    await club.transact((tx) => club.app.parts.maintenance.set(tx, false, null));
    expect(await ask(marinaThere, `/start ${code}`)).toContain("привязан к аккаунту marina");
  });
});

describe("the file of a device", () => {
  const make = async (who: Person, own: Parameters<typeof configInput>[2]) =>
    (await club.as(who).call("POST /vpn/configs", { body: await configInput(club, who, own) })).body;
  const sent = (count: number) =>
    vi.waitFor(() => {
      const messages = telegram.messagesTo(marinaThere);
      if (messages.length < count) throw new Error(`${messages.length} messages`);
      return messages;
    }, PATIENCE);
  const asksFor = async (name: string) => {
    await ask(marinaThere, "/configs");
    const before = telegram.messagesTo(marinaThere).length;
    telegram.press(marinaThere, name);
    return { question: (await sent(before + 1)).at(-1), before: before + 1 };
  };

  test("is also sent for a button pressed while the bot was down", async () => {
    await link();
    await make(marina, { name: "laptop" });
    await ask(marinaThere, "/configs");
    telegram.refuse("answerCallbackQuery", "editMessageText");
    const before = telegram.messagesTo(marinaThere).length;
    telegram.press(marinaThere, "laptop");
    expect((await sent(before + 1)).at(-1)?.text).toMatch(/^Прислать сюда файл/);
    telegram.press(marinaThere, "Прислать файл");
    const [file, , told] = (await sent(before + 4)).slice(-3);
    expect(file?.file?.name).toBe("laptop.conf");
    expect(told?.text).toMatch(/laptop/);
  });

  test("comes with its QR code after a question, the same as the page gives; without 'yes' nothing comes", async () => {
    await link();
    const { id } = await make(marina, { name: "laptop" });
    const { question, before } = await asksFor("laptop");
    expect(question?.text).toMatch(/^Прислать сюда файл и QR-код устройства «laptop»\?/);
    telegram.press(marinaThere, "Не надо");
    await vi.waitFor(() => expect(question?.text).toBe("Хорошо, файл не отправлен."), PATIENCE);
    expect(telegram.messagesTo(marinaThere)).toHaveLength(before);

    const again = await asksFor("laptop");
    telegram.press(marinaThere, "Прислать файл");
    const [file, picture] = (await sent(again.before + 2)).slice(-2);
    const page = (await club.as(marina).call("GET /vpn/configs/{id}/qrcode", { params: { id } })).body;
    expect(file?.file).toEqual({ name: "laptop.conf", bytes: Buffer.from(page.config) });
    expect(page.config).toContain("PrivateKey = ");
    const { data, info } = await sharp(picture?.file?.bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data).toBe(page.config);
    await vi.waitFor(() => expect(again.question?.text).toMatch(/^Файл устройства «laptop» отправлен\./), PATIENCE);
    expect(again.question?.buttons).toEqual([]);
  });

  test("is not offered if only the browser has the key", async () => {
    await link();
    await make(marina, { name: "laptop", publicKey: generateKeyPair().publicKey });
    expect(await ask(marinaThere, "/configs")).toBe("laptop: ещё не подключался");
    expect(telegram.messagesTo(marinaThere).at(-1)?.buttons).toEqual([]);
  });

  test("is given to its owner only, and not after it was deleted or its owner blocked", async () => {
    await link();
    const boris = await club.member({ username: "boris" });
    const his = await make(boris, { name: "his" });
    const own = await make(marina, { name: "laptop" });
    const filesSent = () => telegram.messagesTo(marinaThere).filter(({ file }) => file !== undefined);
    const gone = "Конфигурация не найдена";
    await ask(marinaThere, "/configs");
    const asked = telegram.messagesTo(marinaThere).length;
    telegram.pressed(marinaThere, `file:${his.id}`);
    expect((await sent(asked + 1)).at(-1)?.text).toContain(gone);

    const { question } = await asksFor("laptop");
    telegram.pressed(marinaThere, `file-yes:${his.id}`);
    await vi.waitFor(() => expect(question?.text).toContain(gone), PATIENCE);

    const deleted = await asksFor("laptop");
    await club.as(marina).call("DELETE /vpn/configs/{id}", { params: { id: own.id } });
    telegram.press(marinaThere, "Прислать файл");
    await vi.waitFor(() => expect(deleted.question?.text).toContain(gone), PATIENCE);

    await make(marina, { name: "second" });
    const blocked = await asksFor("second");
    await club.as(await club.admin()).call("PUT /users/{id}", { params: { id: marina.id }, body: { isActive: false } });
    telegram.press(marinaThere, "Прислать файл");
    await vi.waitFor(() => expect(blocked.question?.text).toMatch(/^Ваш аккаунт заблокирован/), PATIENCE);
    expect(filesSent()).toEqual([]);
  });

  test("is sent again if Telegram did not accept it", async () => {
    await link();
    await make(marina, { name: "laptop" });
    const { before } = await asksFor("laptop");
    telegram.fail((method) => method === "sendDocument");
    telegram.press(marinaThere, "Прислать файл");
    await vi.waitFor(
      () => expect(telegram.calls.filter((call) => call === "sendDocument").length).toBeGreaterThan(0),
      PATIENCE,
    );
    telegram.fail(null);
    const messages = await sent(before + 2);
    expect(messages.slice(before).map(({ file }) => file?.name)).toEqual(["laptop.conf", "laptop.png"]);
  });
});

describe("a member who blocks the bot", () => {
  test("counts as not connected, and as connected again as soon as they unblock it", async () => {
    await link();
    telegram.block(marinaThere);
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(false), PATIENCE);
    expect(await statusOf(marina)).toMatchObject({ botBlocked: true, account: null });
    telegram.unblock(marinaThere);
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(true), PATIENCE);
    expect(await statusOf(marina)).toMatchObject({ botBlocked: false, account: "@marina_k" });
  });

  test("is noticed by an answer that cannot be delivered, and may link another account instead", async () => {
    await link();
    telegram.blockUnnoticed(marinaThere);
    telegram.say(marinaThere, "/status");
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(false), PATIENCE);
    await link(marina, strangerThere);
    expect(await statusOf(marina)).toMatchObject({ account: "Глеб" });
  });
});

describe("linking is required for new configs", () => {
  const create = async (who: Person, name: string) =>
    club.as(who).call("POST /vpn/configs", { body: await configInput(club, who, { name }), headers: RU });
  const admin = async () => club.as(await club.admin());

  test("once there is a bot, except for the first device; linking lifts it", async () => {
    expect((await create(marina, "first")).status).toBe(201);
    const refused = await create(marina, "second");
    expect([refused.status, refused.code, refused.message]).toEqual([
      403,
      "telegram.not_linked",
      "Привяжите Telegram для создания VPN",
    ]);
    await link();
    expect((await create(marina, "second")).status).toBe(201);
    telegram.block(marinaThere);
    await vi.waitFor(async () => expect((await create(marina, "third")).code).toBe("telegram.not_linked"), PATIENCE);
  });

  test("an admin switches it off and on, which is audited", async () => {
    const as = await admin();
    await create(marina, "first");
    expect((await as.call("PUT /admin/telegram", { body: { required: false } })).body).toMatchObject({
      enabled: true,
      reason: null,
      botName: "krug_club_bot",
      required: false,
      requiredNow: false,
    });
    expect((await statusOf(marina)).required).toBe(false);
    expect((await create(marina, "second")).status).toBe(201);
    await as.call("PUT /admin/telegram", { body: { required: true } });
    expect((await create(marina, "third")).code).toBe("telegram.not_linked");
    const written = await club.db
      .withTables<{ audit: { action: string; before: string; after: string; at: number } }>()
      .selectFrom("audit")
      .select(["before", "after"])
      .where("action", "=", "telegram.changed")
      .execute();
    expect(written).toHaveLength(2);
    expect(written).toContainEqual({ before: '{"telegramRequired":true}', after: '{"telegramRequired":false}' });
  });

  test("without a token it is not required, and staff see why", async () => {
    const silent = await startClub();
    onTestFinished(() => silent.stop());
    const vera = await silent.member();
    expect((await silent.as(vera).call("GET /auth/telegram/status")).body).toMatchObject({
      enabled: false,
      required: false,
    });
    for (const name of ["a", "b"]) {
      const body = await configInput(silent, vera, { name });
      expect((await silent.as(vera).call("POST /vpn/configs", { body })).status).toBe(201);
    }
    const as = silent.as(await silent.admin());
    expect((await as.call("GET /admin/telegram")).body).toEqual({
      enabled: false,
      reason: "no_token",
      reasonSince: null,
      botName: null,
      required: true,
      requiredNow: false,
      connectedMembers: 0,
    });
    expect((await as.call("PUT /admin/telegram", { body: { required: true } })).code).toBe("telegram.no_token");
  });

  test("a token that Telegram refuses counts as none", async () => {
    const wrong = await startClub({ environment: withBot("123456:not-this-one") });
    onTestFinished(() => wrong.stop());
    const as = wrong.as(await wrong.admin());
    await vi.waitFor(async () => {
      const { body } = await as.call("GET /admin/telegram");
      expect(body).toMatchObject({ enabled: false, reason: "wrong_token", requiredNow: false });
      expect(body.reasonSince).not.toBeNull();
    }, PATIENCE);
  });

  test("staff see how many are connected, a moderator without the VIP members", async () => {
    await link();
    await link(await club.member({ username: "vip", row: { is_vip: 1 } }), strangerThere);
    const connected = async (who: Person) => (await club.as(who).call("GET /admin/telegram")).body.connectedMembers;
    expect(await connected(await club.admin())).toBe(2);
    expect(await connected(await club.moderator())).toBe(1);
  });
});

describe("failures around the bot", () => {
  test("a code sent while the panel was down counts when it is back; a message is not lost in the middle", async () => {
    const code = await codeFor(marina);
    await club.app.stop();
    telegram.say(marinaThere, `/start ${code}`);
    await club.restart();
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(true), PATIENCE);
    // The answer follows the commit.
    await vi.waitFor(() => expect(telegram.messagesTo(marinaThere)).toHaveLength(1), PATIENCE);
  });

  test("stopping does not wait for a hanging poll, and handled updates are confirmed", async () => {
    await ask(strangerThere, "/help");
    // The message may be there before Telegram confirms the answer; without that the answer is given again.
    await vi.waitFor(() => expect(telegram.unread()).toBe(0), PATIENCE);
    const began = Date.now();
    await club.restart();
    expect(Date.now() - began).toBeLessThan(10_000);
    expect(telegram.unread()).toBe(0);
    await ask(strangerThere, "/help");
    expect(telegram.messagesTo(strangerThere)).toHaveLength(2);
  });

  test("an answer that Telegram did not accept is given again", async () => {
    telegram.fail((method) => method === "sendMessage");
    telegram.say(marinaThere, `/start ${await codeFor(marina)}`);
    await vi.waitFor(async () => expect(await isConnected(marina)).toBe(true), PATIENCE);
    telegram.fail(null);
    await vi.waitFor(
      () => expect(telegram.messagesTo(marinaThere)[0]?.text).toContain("привязан к аккаунту marina"),
      PATIENCE,
    );
  });

  test.each(["unavailable", "slow_down"] as const)(
    "Telegram is %s: staff see it, and it recovers by itself",
    async (kind) => {
      const as = club.as(await club.admin());
      telegram.fail(kind);
      await vi.waitFor(async () => {
        const { body } = await as.call("GET /admin/telegram");
        expect(body).toMatchObject({
          enabled: true,
          reason: "unreachable",
          botName: "krug_club_bot",
          requiredNow: true,
        });
      }, PATIENCE);
      telegram.fail(null);
      await vi.waitFor(async () => expect((await as.call("GET /admin/telegram")).body.reason).toBeNull(), PATIENCE);
      await ask(strangerThere, "/help");
    },
  );

  test("an answer that never comes does not keep the panel from stopping", async () => {
    telegram.fail("silence");
    const began = Date.now();
    await club.restart();
    expect(Date.now() - began).toBeLessThan(10_000);
    telegram.fail(null);
  });

  test("of panels that share a database one reads; the next takes over when the first is silent", async () => {
    await club.app.parts.telegramBot.stop();
    const other = makeLeases(club.transact, club.clock, "another panel");
    expect(await other.take("telegram", MINUTE_MS)).toBe(true);
    await club.restart();
    const asked = telegram.calls.length;
    telegram.say(strangerThere, "/help");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(telegram.calls.length).toBe(asked);
    club.clock.advance(MINUTE_MS + 1);
    await vi.waitFor(() => expect(telegram.messagesTo(strangerThere)).toHaveLength(1), PATIENCE);
  });

  test("the menu offers the commands in both languages", async () => {
    await vi.waitFor(() => expect(telegram.commands).toHaveLength(2), PATIENCE);
    expect(telegram.commands).toMatchObject([
      { commands: ["status", "configs", "lost", "password", "unlink", "help"].map((command) => ({ command })) },
      { language_code: "en" },
    ]);
  });
});

test("expired codes are deleted", async () => {
  await codeFor(marina);
  await ask(strangerThere, "/start ZZZZZZ");
  club.clock.advance(49 * 60 * MINUTE_MS);
  await club.app.parts.telegram.forgetOld();
  type Rows = { telegram_codes: { member_id: string }; telegram_attempts: { account_hash: string } };
  const tables = club.db.withTables<Rows>();
  expect(await tables.selectFrom("telegram_codes").selectAll().execute()).toEqual([]);
  expect(await tables.selectFrom("telegram_attempts").selectAll().execute()).toEqual([]);
});
