import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { fillAccount } from "./enter.ts";
import { type Panel, startPanel } from "./panel.ts";
import { seen } from "./seen.ts";

/**
 * How the club grows: a member accepts the rules and creates a code; a friend joins with it, reads the charter, and appears in the
 * list.
 */
let panel: Panel;
let browser: Browser;
let olga: Visitor;
beforeAll(async () => {
  [panel, browser] = await Promise.all([startPanel(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.remove();
});

const PATIENCE = { timeout: 60_000 };
const ACCEPT = "Я принимаю правила клуба";

let code = "";
let link = "";

test("the charter comes before the dashboard; the keyboard is enough to read and accept it", async () => {
  olga = await visit(browser, { screen: "desktop", baseURL: panel.url });
  olga.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  const { page } = olga;
  const link = new URL(panel.setupLink());
  await page.goto(link.pathname + link.hash);
  await fillAccount(page, "olga", "a phrase of one's own");
  await page.getByRole("button", { name: "Создать администратора" }).click();
  const charter = page.getByRole("dialog", { name: "Устав клуба" });
  await charter.waitFor(PATIENCE);
  await charter.getByText(/Прочитайте устав: \d/).waitFor(PATIENCE);
  await charter.getByText("Спасибо, что прочитали устав").waitFor(PATIENCE);
  await seen(page, "the charter");
  // The countdown is over, but the end was not scrolled into view.
  expect(await charter.getByRole("button", { name: ACCEPT }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await charter.getByRole("button", { name: ACCEPT }).waitFor(PATIENCE);
  await seen(page, "the charter, read");
  for (let n = 0; n < 10 && !(await isFocused(page, ACCEPT)); n++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await charter.waitFor({ state: "hidden", ...PATIENCE });
  // A browser gives up a reload while the page is navigating by itself.
  const greeting = page.getByRole("heading", { name: "Здравствуйте, olga" });
  await greeting.waitFor(PATIENCE);
  await page.reload();
  await greeting.waitFor(PATIENCE);
});

const isFocused = (page: Page, name: string) =>
  page.evaluate((wanted) => document.activeElement?.textContent === wanted, name);

test("she creates a code, valid for twelve hours, and copies it for her friend", async () => {
  const { page } = olga;
  await olga.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: panel.url });
  await page.getByRole("button", { name: "Пригласить друзей" }).click();
  const dialog = page.getByRole("dialog", { name: "Пригласить друга" });
  await dialog.getByText("Пока никого.", { exact: false }).waitFor(PATIENCE);
  await dialog.getByRole("button", { name: "Создать код" }).click();
  await dialog.getByRole("timer").waitFor(PATIENCE);
  expect(await dialog.getByRole("timer").textContent()).toMatch(/11:59:\d\d|12:00:00/);
  await seen(page, "invite panel with a code");
  await dialog.getByRole("button", { name: "Скопировать" }).click();
  await dialog.getByRole("button", { name: "Скопировано" }).waitFor(PATIENCE);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  link = copied.split(" ").at(-1) ?? "";
  code = /Код: ([A-Z2-9]{6})\./.exec(copied)?.[1] ?? "";
  expect(code).toHaveLength(6);
  expect(link).toBe(`${panel.url}/register#code=${code}`);
  await dialog.getByRole("button", { name: "Показать QR-код" }).click();
  await dialog.getByRole("img", { name: "QR-код со ссылкой на регистрацию" }).waitFor(PATIENCE);
  await seen(page, "invitation link as a QR code");
});

test("the friend opens the link on a phone, types no code, jumps to a section of the charter, and gets in", async () => {
  const friend = await visit(browser, { screen: "phone", baseURL: panel.url });
  friend.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  const { page } = friend;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(link);
  // The code is read before the page is drawn, and neither the address bar nor any request line has it.
  expect(page.url()).toBe(`${panel.url}/register`);
  await page.getByText("Код приглашения принят!").waitFor(PATIENCE);
  await page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  expect(asked.filter((address) => new URL(address).pathname.concat(new URL(address).search).includes(code))).toEqual(
    [],
  );
  // A reload in between does not lose it.
  await page.reload();
  await page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  await fillAccount(page, "marina", "a phrase of one's own");
  await page.getByRole("button", { name: "Создать аккаунт" }).click();
  const charter = page.getByRole("dialog", { name: "Устав клуба" });
  await charter.waitFor(PATIENCE);
  await charter.getByRole("button", { name: "Безопасность" }).tap();
  await charter.getByText("Потеряли устройство", { exact: false }).waitFor(PATIENCE);
  await charter.getByText("Спасибо, что прочитали устав").waitFor(PATIENCE);
  expect(await charter.getByRole("button", { name: ACCEPT }).count()).toBe(0);
  await charter.getByRole("button", { name: "Миссия" }).tap();
  await charter.getByRole("button", { name: ACCEPT }).tap();
  await charter.waitFor({ state: "hidden", ...PATIENCE });
  // A trial does not allow invitations, and the panel says so.
  await page.getByRole("button", { name: "Пригласить друзей" }).tap();
  await page.getByText("Приглашать друзей можно после пробного периода.").waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: "Создать код" }).count()).toBe(0);
  await seen(page, "invite panel on the trial");
  expect(friend.problems()).toEqual([]);
  await friend.context.close();
});

test("he appears in her open panel without a reload, with the reason why he does not count yet; the code is used", async () => {
  const { page } = olga;
  const dialog = page.getByRole("dialog", { name: "Пригласить друга" });
  await dialog.getByText("marina").waitFor(PATIENCE);
  expect(await dialog.getByRole("listitem").textContent()).toMatch(/пока нет: пробный период/);
  await dialog.getByText("0 из 3").waitFor(PATIENCE);
  await dialog.getByRole("button", { name: "Создать код" }).waitFor(PATIENCE);
  await seen(page, "invite panel with a friend");
  expect(olga.problems()).toEqual([]);
});
