import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as pathOf } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTcpRelay, type TcpRelay } from "../apps/server/testing/tcp-relay.ts";
import { type Gateway, openGateway } from "./gateway.ts";
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

const PASSWORD = "a phrase of one's own";
const ESCAPE = "\uE00C";

describe.each(OTHER_BROWSERS)("in %s", (browser) => {
  let club: SampleClub;
  let gateway: Gateway;
  let relay: TcpRelay;
  let folder: string;
  let me: OtherVisitor;
  let pictures = 0;
  const leave = async () => {
    expect(await me.problems()).toEqual([]);
    await me.close();
  };
  const seen = async (name: string) => {
    if (process.env.PICTURES)
      await me.picture(pathOf(process.env.PICTURES, `${browser}-${String(++pictures).padStart(2, "0")}-${name}.png`));
  };
  beforeAll(async () => {
    club = await startSampleClub();
    gateway = await openGateway(club.url);
    relay = await startTcpRelay({ host: "127.0.0.1", port: gateway.port });
    folder = await mkdtemp(pathOf(tmpdir(), "krug-other-browsers-"));
  });
  afterAll(async () => {
    await me?.close();
    await relay?.close();
    gateway?.close();
    await club?.remove();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await seen(`failed ${task.name.slice(0, 30)}`).catch(() => {});
  });

  test("a friend joins on a phone with a code, and reads the charter", async () => {
    me = await visitWith(browser, { baseURL: `http://127.0.0.1:${relay.port}` });
    await join(me, await club.inviteCode(), "platon", PASSWORD);
    await me.see({ text: "Пока ни одного устройства" });
    await seen("dashboard");
  });

  test("one press creates their phone's config: a QR code, and a file with which the phone connects", async () => {
    await me.press({ role: "button", name: "Создать конфиг" });
    const dialog = { role: "dialog" };
    await me.press({ text: "Телефон", within: dialog });
    await seen("create");
    await me.press({ role: "button", name: "Создать конфиг", within: dialog });
    await me.see({ role: "img", name: "QR код конфигурации phone" });
    await me.see({ text: "Ждём первое подключение..." });
    await seen("created");
    await me.press({ role: "button", name: "Скачать конфиг" });
    await club.connect(await me.saved("phone.conf"));
    await me.see({ text: "Подключено" });
    await seen("connected");
    await me.press({ role: "button", name: "Готово" });
    await me.lose(dialog);
    await me.see({ text: /^На связи/, within: { role: "article", name: "phone" } });
  });

  test("the form refuses a name in its field, and creates a computer's config with a chosen service", async () => {
    const dialog = { role: "dialog", name: "Создание VPN конфига" };
    await me.press({ role: "button", name: "Создать конфиг" });
    await me.press({ role: "button", name: "Настроить самому", within: dialog });
    await me.fill("Имя", "ноутбук");
    await me.press({ text: "Компьютер", within: dialog });
    await me.see({ text: /только английские буквы/, within: dialog });
    await me.fill("Имя", "laptop");
    await seen("the whole form");
    await me.press({ role: "button", name: "Создать конфиг", within: dialog });
    await me.press({ role: "button", name: "Скачать конфиг" });
    expect(await me.saved("laptop.conf")).toMatch(/^\[Interface\]\nPrivateKey = /);
    await me.type(ESCAPE);
    await me.lose({ role: "dialog" });
    await me.see({ role: "article", name: "laptop" });
  });

  test("a card shows its code again, gives its file under a new name, and is deleted and restored", async () => {
    await me.press({ role: "button", name: "QR-код: phone" });
    await me.see({ text: "Отсканируйте QR код в приложении WireGuard" });
    await me.type(ESCAPE);
    await me.lose({ role: "dialog" });
    await me.press({ role: "button", name: "Изменить: laptop" });
    await me.fill("Имя", "work");
    await me.press({ role: "button", name: "Сохранить", within: { role: "dialog" } });
    await me.lose({ role: "dialog" });
    await me.press({ role: "button", name: "Скачать: work" });
    expect(await me.saved("work.conf")).toMatch(/^\[Interface\]\nPrivateKey = /);
    await me.press({ role: "button", name: "Не работает? work" });
    await seen("not working");
    await me.type(ESCAPE);
    await me.lose({ role: "dialog" });
    await me.press({ role: "button", name: "Удалить: work" });
    await me.press({ role: "button", name: "Удалить", within: { role: "dialog" } });
    await me.see({ text: "Конфигурация удалена" });
    await seen("deleted");
    await me.press({ role: "button", name: /^Вернуть/ });
    await me.see({ role: "button", name: "Скачать: work" });
  });

  test("a reload keeps the session, and no script can read it", async () => {
    await me.reload();
    await me.see({ role: "article", name: "phone" });
    expect(await me.evaluate("return document.cookie")).toBe("");
  });

  test("settings change theme and language at once, and the password", async () => {
    await me.press({ role: "button", name: "Настройки" });
    await me.see({ role: "dialog", name: "Настройки" });
    await seen("settings");
    await me.press({ text: "Светлая", within: { role: "dialog" } });
    expect(await me.evaluate("return document.documentElement.dataset.mantineColorScheme")).toBe("light");
    await me.press({ text: "Тёмная", within: { role: "dialog" } });
    await me.press({ text: "English", within: { role: "dialog" } });
    await me.see({ role: "dialog", name: "Settings" });
    await me.press({ text: "Русский", within: { role: "dialog" } });
    await me.see({ role: "dialog", name: "Настройки" });
    await me.fill("Текущий пароль", PASSWORD);
    await me.fill("Новый пароль", "another phrase");
    await me.fill("Повторите новый пароль", "another phrase");
    await me.press({ role: "button", name: "Сменить пароль" });
    await me.see({ text: "Пароль изменён. Другие входы завершены." });
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
    relay.refuse(false);
    await me.lose({ text: /нет связи/ });
    await leave();
  });

  test("an upgrade under the open page: what it can no longer load says so, and one press opens the new page", async () => {
    me = await visitWith(browser, { baseURL: gateway.url });
    gateway.isFileGone = (path) => /settings-dialog.*\.js/.test(path);
    await signIn(me, "marina", "Марина");
    gateway.state = "upgraded";
    await me.press({ role: "button", name: "Настройки" });
    await me.see({ text: "Панель обновилась. Обновите страницу, чтобы продолжить." });
    await seen("upgraded");
    gateway.isFileGone = () => false;
    await me.evaluate("document.body.dataset.old = ''");
    await me.press({ role: "button", name: "Обновить" });
    const isNew = () => me.evaluate("return document.body?.dataset.old === undefined").catch(() => false);
    await expect.poll(isNew, { timeout: 60_000 }).toBe(true);
    await me.press({ role: "button", name: "Настройки" });
    await me.see({ role: "dialog", name: "Настройки" });
    await me.goTo("/dashboard");
    await me.see({ role: "article", name: "iphone-marina" });
    expect(await me.evaluate("return document.querySelector('meta[name=build]')?.content")).toBe("next");
    await leave();
  });

  test("a member whose subscription has ended reports a payment", async () => {
    me = await visitWith(browser, { baseURL: club.url });
    await signIn(me, "oleg", "Олег");
    await me.press({ role: "button", name: /оплат/i });
    const sheet = { role: "dialog", name: "Оплата" };
    await seen("payment");
    await me.press({ role: "button", name: "Я оплатил", within: sheet });
    await me.see({ text: "Ждём подтверждения оплаты", within: sheet });
    await leave();
  });

  test("staff sign in with a second factor, on a desktop, and confirm it", async () => {
    me = await visitWith(browser, { baseURL: club.url, screen: "desktop" });
    await signIn(me, "admin", "Администратор");
    await me.press({ role: "link", name: "Панель управления" });
    await setUpSecondFactor(me);
    await me.see({ role: "heading", name: "Пользователи" });
    await me.fill("Имя или логин", "марина");
    await me.lose({ role: "row", name: /Антон/ });
    await me.press({ role: "link", name: /Марина/ });
    await me.see({ role: "heading", name: "Марина" });
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
    await leave();
  });
});
