import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { seen } from "./seen.ts";

/** The system screen and the audit log: an admin on a desktop uses the system, a moderator on a phone reads the log. */
let admin: Visitor;
let moderator: Visitor;
openClub();

const STEP_MS = 30_000;
let secret = "";
/** Each code works once. The next one is accepted too. */
const codeOf = (ahead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * STEP_MS });

/** Sets up the second factor at the entrance and goes in. Returns the secret. */
async function goIn(page: Page, place: string): Promise<string> {
  await page.goto(`/admin/${place}`);
  const dialog = page.getByRole("dialog", { name: "Двухфакторная аутентификация" });
  const shown = ((await dialog.getByRole("code").textContent(PATIENCE)) ?? "").replace(/\s/g, "");
  await page.getByLabel("Цифра 1 из 6").click(PATIENCE);
  await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(shown) }).generate());
  await page.getByRole("button", { name: "Коды сохранены, продолжить" }).click(PATIENCE);
  return shown;
}

test("an admin sees the system's state and changes a setting", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  secret = await goIn(page, "system");
  await page.getByText("SQLite").waitFor(PATIENCE);
  await page.getByText("Хельсинки").first().waitFor(PATIENCE);
  await seen(page, "the system");
  await page.getByText("Клуб", { exact: true }).click();
  await page.getByLabel("Кодов для друзей в месяц").fill("4");
  await page.getByRole("button", { name: "Сохранить" }).click();
  const saved = page.getByRole("alert").filter({ hasText: "Настройки сохранены" });
  await saved.waitFor(PATIENCE);
  // It covers nothing needed next: neither the screens' buttons nor the pointer.
  const { x, y, width, height } = (await saved.boundingBox()) ?? expect.fail("no saved note");
  expect([x > 720, y > 64, y < 200], "top right, below the head").toEqual([true, true, true]);
  const isUnder = ([left, top]: readonly [number, number]) =>
    document.elementFromPoint(left, top)?.closest("[role=alert]") === null;
  expect(await page.evaluate(isUnder, [x + width / 2, y + height / 2] as const)).toBe(true);
});

test("the admin turns maintenance on with a code, a member sees it, and it ends the same way", async () => {
  const { page } = admin;
  await page.getByText("Состояние", { exact: true }).first().click();
  await page.getByRole("button", { name: "Включить" }).click();
  await page.getByLabel("Цифра 1 из 6").click(PATIENCE);
  await page.keyboard.type(codeOf(1));
  await page.getByText("Технические работы включены").waitFor(PATIENCE);
  expect(await page.evaluate(() => localStorage.getItem("maintenanceMode"))).toBe("true");
  const state = async () => (await (await fetch(`${club.url}/api/maintenance`)).json()) as { enabled: boolean };
  expect((await state()).enabled).toBe(true);
  // Ending it another way shows on the open page by itself.
  await club.setMaintenance(false);
  await page.getByRole("button", { name: "Включить" }).waitFor(PATIENCE);
  expect(await page.evaluate(() => localStorage.getItem("maintenanceMode"))).toBeNull();
});

test("'Delete everything' is stopped midway, and everything still exists", async () => {
  const { page } = admin;
  await page.getByText("Данные", { exact: true }).click();
  await page.getByRole("button", { name: "Удалить всё" }).click();
  const ask = page.getByRole("dialog", { name: "Удалить всё?" });
  await ask.getByText("история операций").waitFor(PATIENCE);
  await ask.getByRole("button", { name: "Удалить всё" }).click();
  await page.getByText("Шаг 2 из 9: Создание резервной копии").waitFor(PATIENCE);
  await seen(page, "the steps");
  await page.getByRole("button", { name: "Остановить" }).click();
  await page.getByText("Операция остановлена, ничего не удалено").waitFor(PATIENCE);
  await page.getByRole("link", { name: "Пользователи" }).click();
  await page.getByRole("row", { name: /Марина/ }).waitFor(PATIENCE);
});

test("the log shows all of it, with the earlier values", async () => {
  const { page } = admin;
  await page.getByRole("link", { name: "Журнал действий" }).click();
  await page.getByRole("button", { name: "Подробности: Нажато «Удалить всё» (имитация)" }).first().waitFor(PATIENCE);
  await seen(page, "the log");
  await page.getByLabel("Действие", { exact: true }).selectOption({ label: "Изменены настройки клуба" });
  await page.getByText("кодов участника в месяц: 10 → 4").waitFor(PATIENCE);
  await page.getByRole("button", { name: "Подробности: Изменены настройки клуба" }).first().click();
  await page.getByRole("dialog").getByRole("cell", { name: "10", exact: true }).waitFor(PATIENCE);
  await seen(page, "an entry");
});

test("a moderator on a phone reads the log, without the system", async () => {
  moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(moderator, "moderator", "Модератор");
  const { page } = moderator;
  await goIn(page, "audit");
  await page
    .getByRole("button", { name: /Ответ в поддержке/ })
    .first()
    .waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: /Нажато/ }).count()).toBe(0);
  await page.getByPlaceholder("Кого касается: имя или логин").fill("олег");
  await page
    .getByRole("button", { name: /Изменён участник/ })
    .first()
    .click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: "Изменён участник" });
  await dialog.getByText("лимит конфигов").waitFor(PATIENCE);
  await seen(page, "an entry on a phone");
  await dialog.getByRole("link", { name: "Открыть участника" }).click();
  await page.getByRole("heading", { level: 1, name: "Олег" }).waitFor(PATIENCE);
});
