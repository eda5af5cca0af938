import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ask,
  club,
  codeFor,
  generate,
  isConnected,
  link,
  MINUTE_MS,
  marina,
  marinaThere,
  openClubWithBot,
  PATIENCE,
  RU,
  statusOf,
  strangerThere,
  telegram,
} from "../../../../testing/bot-club.ts";
import { listen } from "../../../../testing/listen.ts";
import { type Person, startClub } from "../../../../testing/start-club.ts";

openClubWithBot();

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
