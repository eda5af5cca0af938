import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  DOUBLE_TOKEN,
  startTelegramDouble,
  type TelegramDouble,
  type TelegramPerson,
} from "../apps/server/testing/telegram-double.ts";
import * as lab from "../lab/network.ts";
import { type LabPanel, startPanel } from "../lab/panel.ts";
import { ensureBuilt } from "../scripts/build.mjs";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { seen } from "./seen.ts";
import { wholeForm } from "./whole-form.ts";

/**
 * A member and the club's bot: after the first device she links Telegram, the page updates by itself, the bot lists her devices,
 * and without Telegram the next device has to wait. A double of the Bot API replaces Telegram.
 */
const BOT_PORT = 8081;
const PATIENCE = { timeout: 60_000 };
const marinaThere: TelegramPerson = { id: 501, first_name: "Марина", username: "marina_k", language_code: "ru" };

let network: lab.LabNetwork;
let telegram: TelegramDouble;
let panel: LabPanel;
let browser: Browser;
let marina: Visitor;
beforeAll(async () => {
  await ensureBuilt();
  [network, telegram] = await Promise.all([lab.makeNetwork(), startTelegramDouble()]);
  await lab.relayFrom(network, network.host, BOT_PORT, telegram.port);
  const env = {
    TELEGRAM_BOT_TOKEN: DOUBLE_TOKEN,
    TELEGRAM_API_ROOT: `http://127.0.0.1:${BOT_PORT}`,
    ADMIN_USERNAME: "marina",
    ADMIN_PASSWORD: "correct horse battery",
    LOG_LEVEL: "trace",
  };
  [panel, browser] = await Promise.all([startPanel(network, network.host, { env }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await network?.close();
  await telegram?.close();
});

const dialogOf = (page: Page, name: string) => page.getByRole("dialog", { name });
const answered = (text: RegExp) =>
  lab.until(`the bot answers ${text}`, () =>
    telegram.messagesTo(marinaThere).some((message) => text.test(message.text)),
  );

async function create(page: Page, name: string) {
  const dialog = dialogOf(page, "Создание VPN конфига");
  await (await wholeForm(page, PATIENCE)).fill(name);
  await dialog.getByText("Компьютер").click();
  await dialog.getByRole("checkbox", { name: /Весь трафик/ }).check();
  await dialog.getByRole("button", { name: "Создать конфиг" }).click();
}

test("the first device needs no Telegram, and the page says that the next one will", async () => {
  marina = await visit(browser, { screen: "desktop", baseURL: panel.url });
  marina.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  const { page } = marina;
  await page.goto("/login");
  await page.getByLabel("Имя пользователя").fill("marina");
  await page.getByLabel("Пароль", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Войти" }).click();
  await acceptCharter(page, PATIENCE);
  await page.getByText("Первое устройство создаётся и так.").waitFor(PATIENCE);
  await seen(page, "no device, no Telegram");
  await page.getByRole("button", { name: "Создать конфиг" }).first().click(PATIENCE);
  await create(page, "laptop");
  await page.getByText("Ждём первое подключение...").waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await page.getByText("Привяжите Telegram для создания VPN").waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: "Создать конфиг" }).count()).toBe(0);
  await seen(page, "the bind prompt");
});

test("the code reaches the bot despite a killed panel, and the page updates by itself", async () => {
  const { page } = marina;
  marina.expectProblem(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|ERR_INCOMPLETE_CHUNKED/);
  await page.getByRole("button", { name: "Привязать Telegram" }).click();
  const dialog = dialogOf(page, "Привязка Telegram");
  await dialog.getByRole("timer").waitFor(PATIENCE);
  await seen(page, "linking");
  const link = await dialog.getByRole("link", { name: "Открыть Telegram" }).getAttribute("href");
  const code = /^https:\/\/t\.me\/krug_club_bot\?start=([A-Z2-9]{6})$/.exec(link ?? "")?.[1] ?? "";
  expect(code).toHaveLength(6);
  await panel.end("SIGKILL");
  telegram.say(marinaThere, `/start ${code}`);
  await panel.start();
  await answered(/привязан к аккаунту marina/);
  await dialog.getByText("Telegram подключён").waitFor(PATIENCE);
  await dialog.getByText("@marina_k", { exact: false }).waitFor(PATIENCE);
  await seen(page, "linked");
});

test("the page leads on to the second device, which the bot knows", async () => {
  const { page } = marina;
  await dialogOf(page, "Привязка Telegram").getByRole("button", { name: "Создать конфиг" }).click();
  await create(page, "desktop");
  await page.getByText("Ждём первое подключение...").waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await page.getByRole("article", { name: "desktop" }).waitFor(PATIENCE);
  telegram.say(marinaThere, "/configs");
  await answered(/^laptop: ещё не подключался\ndesktop: ещё не подключался\n\nЧтобы получить файл/);
});

test("three steps unlink Telegram, and the next device is refused with the bind prompt", async () => {
  const { page } = marina;
  await page.getByRole("button", { name: "Настройки" }).click();
  const settings = dialogOf(page, "Настройки");
  await settings.getByText("Привязан: @marina_k").waitFor(PATIENCE);
  await seen(page, "Telegram in the settings");
  // Another tab has the form open and does not know yet.
  const other = await marina.context.newPage();
  await other.goto("/dashboard");
  await other.getByRole("button", { name: "Создать конфиг" }).first().click(PATIENCE);
  await settings.getByRole("button", { name: "Отвязать Telegram" }).click();
  const dialog = dialogOf(page, "Отвязать Telegram");
  const code = ((await dialog.getByText(/^([A-Z2-9] ){5}[A-Z2-9]$/).textContent(PATIENCE)) ?? "").replaceAll(" ", "");
  await seen(page, "unlinking, the code");
  await dialog.getByRole("button", { name: "Продолжить" }).click();
  await page.keyboard.type(code === "ZZZZZZ" ? "yyyyyy" : "zzzzzz");
  await dialog.getByRole("button", { name: "Отвязать", exact: true }).click();
  await dialog.getByText("Неверный код подтверждения").waitFor(PATIENCE);
  await seen(page, "unlinking, a wrong code");
  await dialog.getByLabel("Знак 6 из 6").click();
  for (let n = 0; n < 6; n++) await page.keyboard.press("Backspace");
  await page.keyboard.type(code.toLowerCase());
  await dialog.getByRole("button", { name: "Отвязать", exact: true }).click();
  await dialog.getByText("Telegram отвязан").waitFor(PATIENCE);
  await dialog.waitFor({ state: "hidden", ...PATIENCE });
  await settings.getByText("Не привязан.", { exact: false }).waitFor(PATIENCE);

  marina.expectProblem(/vpn\/configs.*403|403 \(Forbidden\).*vpn\/configs/);
  await create(other, "tablet");
  await dialogOf(other, "Привязка Telegram").getByRole("timer").waitFor(PATIENCE);
  telegram.say(marinaThere, "/status");
  await answered(/ни к чему не привязан/);
  expect(marina.problems()).toEqual([]);
  expect(panel.output()).not.toContain(DOUBLE_TOKEN);
});
