import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as pathOf } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTcpRelay, type TcpRelay } from "../apps/server/testing/tcp-relay.ts";
import { join, setUpSecondFactor, signIn } from "./other-browsers/steps.ts";
import { OTHER_BROWSERS, visitWith } from "./other-browsers/visit-with.ts";
import type { OtherVisitor } from "./other-browsers/visitor.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";

/**
 * The main journeys in the engines that Chromium's journeys do not cover: WebKit, which every iPhone has, and Firefox.
 * PICTURES=folder saves pictures of the screens.
 */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.each(OTHER_BROWSERS)("in %s", (browser) => {
  let club: SampleClub;
  let relay: TcpRelay;
  let folder: string;
  let me: OtherVisitor;
  let pictures = 0;
  const seen = async (name: string) => {
    if (process.env.PICTURES)
      await me.picture(pathOf(process.env.PICTURES, `${browser}-${String(++pictures).padStart(2, "0")}-${name}.png`));
  };
  beforeAll(async () => {
    club = await startSampleClub();
    relay = await startTcpRelay({ host: "127.0.0.1", port: Number(new URL(club.url).port) });
    folder = await mkdtemp(pathOf(tmpdir(), "krug-other-browsers-"));
  });
  afterAll(async () => {
    await me?.close();
    await relay?.close();
    await club?.remove();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await seen(`failed ${task.name.slice(0, 30)}`).catch(() => {});
  });

  test("a friend joins on a phone with a code, and reads the charter", async () => {
    me = await visitWith(browser, { baseURL: `http://127.0.0.1:${relay.port}` });
    await join(me, await club.inviteCode(), "platon", "a phrase of one's own");
    await me.see({ text: "Пока ни одного устройства" });
    await seen("dashboard");
  });

  test("one press creates their phone's config: a QR code, and a file that is saved", async () => {
    await me.press({ role: "button", name: "Создать конфиг" });
    const dialog = { role: "dialog" };
    await me.press({ text: "Телефон", within: dialog });
    await seen("create");
    await me.press({ role: "button", name: "Создать конфиг", within: dialog });
    await me.see({ role: "img", name: "QR код конфигурации phone" });
    await seen("created");
    await me.type("\uE00C");
    await me.lose(dialog);
    await me.see({ role: "article", name: "phone" });
    await me.press({ role: "button", name: /^Скачать/ });
    expect(await me.saved("phone.conf")).toMatch(/^\[Interface\]\nPrivateKey = /);
    await seen("a card");
  });

  test("a reload keeps the session, and no script can read it", async () => {
    await me.reload();
    await me.see({ role: "article", name: "phone" });
    expect(await me.evaluate("return document.cookie")).toBe("");
  });

  test("settings open, and the language changes at once", async () => {
    await me.press({ role: "button", name: "Настройки" });
    await me.see({ role: "dialog", name: "Настройки" });
    await seen("settings");
    await me.press({ text: "English", within: { role: "dialog" } });
    await me.see({ role: "dialog", name: "Settings" });
    await me.press({ text: "Русский", within: { role: "dialog" } });
    await me.see({ role: "dialog", name: "Настройки" });
    await me.type("\uE00C");
    await me.lose({ role: "dialog" });
  });

  test("support receives a message and a picture", async () => {
    await me.press({ role: "button", name: "Поддержка" });
    const chat = { role: "dialog", name: "Поддержка" };
    await me.see({ text: "Здесь отвечают люди из клуба", within: chat });
    await me.fill("Сообщение", "Не включается на телевизоре");
    await me.press({ role: "button", name: "Отправить сообщение" });
    await me.see({ text: "отправлено", within: chat });
    const picture = pathOf(folder, "tv.png");
    writeFileSync(picture, PNG);
    await me.attach(picture);
    await me.see({ role: "button", name: "Убрать изображение 1" });
    await me.press({ role: "button", name: "Отправить сообщение" });
    await me.see({ role: "link", name: "Открыть изображение 1" });
    await seen("support");
    await me.press({ role: "button", name: "Закрыть", within: chat });
    await me.lose(chat);
  });

  test("offline is reported, known data stays readable, and the page recovers by itself", async () => {
    relay.refuse(true);
    await me.see({ text: "Ошибка подключения к API" });
    await me.see({ role: "article", name: "phone" });
    await seen("offline");
    relay.refuse(false);
    await me.lose({ text: "Ошибка подключения к API" });
  });

  test("opened again without a connection, the page shows the last known data", async () => {
    const kept = "caches.match('/dashboard', { cacheName: 'krug.own.2' })";
    await expect
      .poll(() => me.evaluate(`return navigator.serviceWorker.ready.then(() => ${kept}).then(Boolean)`), {
        timeout: 60_000,
      })
      .toBe(true);
    relay.refuse(true);
    // Not by a reload: Firefox's bypasses the worker when Marionette requests it.
    await me.goTo("/dashboard");
    await me.see({ role: "article", name: "phone" });
    await me.see({ text: /Данные на \d\d:\d\d, нет связи/ });
    await seen("opened offline");
    await me.close();
  });

  test("a member whose subscription has ended reports a payment", async () => {
    me = await visitWith(browser, { baseURL: club.url });
    await signIn(me, "oleg", "Олег");
    await me.press({ role: "button", name: /оплат/i });
    const sheet = { role: "dialog", name: "Оплата" };
    await seen("payment");
    await me.press({ role: "button", name: "Я оплатил", within: sheet });
    await me.see({ text: "Ждём подтверждения оплаты", within: sheet });
    await me.close();
  });

  test("staff sign in with a second factor, on a desktop, and confirm it", async () => {
    me = await visitWith(browser, { baseURL: club.url, screen: "desktop" });
    await signIn(me, "admin", "Администратор");
    await me.press({ role: "link", name: "Панель управления" });
    await setUpSecondFactor(me);
    await me.see({ role: "heading", name: "Пользователи" });
    await me.see({ role: "row", name: /Марина/ });
    await seen("users");
    await me.press({ role: "link", name: /^Платежи/ });
    await me.press({ role: "button", name: "Подтвердить оплату: Олег" });
    await me.see({ text: /Олег: оплата подтверждена/ });
    await seen("payments");
  });

  test("staff set a rented machine up in three steps", async () => {
    club.rent("203.0.113.24");
    await me.press({ role: "link", name: "Серверы" });
    await me.press({ role: "button", name: "Добавить сервер" });
    await me.fill("Название", "Стокгольм");
    await me.fill("Хост", "203.0.113.24");
    await me.fill("Пароль", "right");
    await me.press({ role: "button", name: "Добавить", within: { role: "dialog", name: "Новый сервер" } });
    const wizard = { role: "dialog", name: "Настройка: Стокгольм" };
    for (const step of [1, 2, 3]) await me.press({ role: "button", name: `Начать шаг ${step}`, within: wizard });
    await seen("set-up");
    await me.lose(wizard);
    await me.see({ role: "heading", name: "Серверы" });
    await seen("servers");
  });
});
