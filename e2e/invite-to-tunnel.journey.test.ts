import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as lab from "../lab/network.ts";
import { type LabPanel, PASSWORD, passSecondFactor, startPanel } from "../lab/panel.ts";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { fillAccount } from "./enter.ts";
import { seen } from "./seen.ts";
import { wholeForm } from "./whole-form.ts";

/**
 * The product's main job from two people's view: an operator opens the set-up link; a friend joins with a code and creates a config
 * for a phone and one for a computer. The computer connects with only the downloaded file.
 */
let network: lab.LabNetwork;
let panel: LabPanel;
let browser: Browser;
beforeAll(async () => {
  network = await lab.makeNetwork();
  [panel, browser] = await Promise.all([
    startPanel(network, network.host),
    openBrowser(),
    lab.startServices(network.target, { tcp: [80] }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await network?.close();
});

const PATIENCE = { timeout: 60_000 };

test("the one-time link creates the first admin, on a phone", async () => {
  const link = new URL(
    await lab.until("the set-up link is printed", () => /https?:\/\/\S+\/setup\S+/.exec(panel.output())?.[0]),
  );
  const operator = await visit(browser, { screen: "phone", baseURL: panel.url });
  operator.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  const { page } = operator;
  await page.goto(link.pathname + link.hash);
  await page.getByRole("heading", { name: "Первый администратор" }).waitFor(PATIENCE);
  await seen(page, "set-up");
  await fillAccount(page, "olga", PASSWORD);
  await page.getByRole("button", { name: "Создать администратора" }).click();
  await acceptCharter(page, PATIENCE);
  await page.getByRole("heading", { name: "Здравствуйте, olga" }).waitFor(PATIENCE);
  await page.getByText("Безлимитная подписка").waitFor(PATIENCE);
  // A reload keeps the session although no script can read it.
  await page.reload();
  await page.getByRole("heading", { name: "Здравствуйте, olga" }).waitFor(PATIENCE);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(operator.problems()).toEqual([]);
  await operator.context.close();
});

/** Does through the API what the operator's screens would: two-factor entry and a code for a friend. */
const inviteFriend = async () => {
  const signedIn = await panel.guest().ask("POST /auth/login", { body: { username: "olga", password: PASSWORD } });
  const admin = panel.as(await passSecondFactor(panel, signedIn));
  const interfaces = await lab.until("the machine is a server", async () => {
    const all = await admin.ask("GET /admin/servers/interfaces");
    return all.length > 0 ? all.map(({ id }) => id) : null;
  });
  return (await admin.ask("POST /admin/invite-codes", { body: { interfaces, subscriptionDays: 30 } })).code;
};

let friend: Visitor;
/** Of her computer. */
let file = "";

test("a friend registers with the code: the page checks it by itself and rejects a wrong one", async () => {
  const code = await inviteFriend();
  friend = await visit(browser, { screen: "desktop", baseURL: panel.url });
  friend.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  friend.expectProblem(/check-invite.*400|400 \(Bad Request\).*check-invite/);
  const { page } = friend;
  await page.goto("/");
  await seen(page, "landing");
  await page.getByRole("link", { name: "Регистрация по приглашению" }).click();
  await page.getByLabel("Знак 1 из 6").click();
  await page.keyboard.type("zzzzzz");
  await page.getByText("Неверный код приглашения").waitFor(PATIENCE);
  await seen(page, "a wrong code");
  for (let n = 0; n < 6; n++) await page.keyboard.press("Backspace");
  // In lower case, as people type it.
  await page.getByLabel("Знак 1 из 6").click();
  await page.keyboard.type(code.toLowerCase());
  await page.getByText("Код приглашения принят!").waitFor(PATIENCE);
  await page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  await seen(page, "account");
  await fillAccount(page, "marina", PASSWORD);
  await page.getByRole("button", { name: "Создать аккаунт" }).click();
  await acceptCharter(page, PATIENCE);
  await page.getByRole("heading", { name: "Здравствуйте, marina" }).waitFor(PATIENCE);
  await page.getByText("Пока ни одного устройства").waitFor(PATIENCE);
  await seen(page, "no devices yet");
});

test("her first device, a phone, needs no typing: she sees its QR code", async () => {
  const { page } = friend;
  await page.getByRole("button", { name: "Создать конфиг" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Телефон").click();
  await dialog.getByText("Весь трафик").waitFor(PATIENCE);
  await seen(page, "first device");
  await dialog.getByRole("button", { name: "Создать конфиг" }).click();
  await page.getByRole("img", { name: "QR код конфигурации phone" }).waitFor(PATIENCE);
  await page.getByText("Ждём первое подключение...").waitFor(PATIENCE);
  await seen(page, "waiting for the phone");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden", ...PATIENCE });
  await page.getByRole("button", { name: "QR-код: phone" }).click();
  await page.getByText("Отсканируйте QR код в приложении WireGuard").waitFor(PATIENCE);
  await seen(page, "QR dialog");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden", ...PATIENCE });
});

test("the file of her computer's config connects, and the dialog turns green by itself", async () => {
  const { page } = friend;
  await page.getByRole("button", { name: "Создать конфиг" }).first().click();
  const dialog = page.getByRole("dialog");
  await (await wholeForm(page, PATIENCE)).fill("ноутбук");
  await dialog
    .getByText("Имя может содержать только английские буквы, цифры, дефис и подчеркивание без пробелов")
    .waitFor(PATIENCE);
  await seen(page, "create dialog");
  await dialog.getByLabel("Имя", { exact: true }).fill("laptop");
  await dialog.getByText("Компьютер").click();
  await dialog.getByRole("checkbox", { name: /Весь трафик/ }).check();
  await dialog.getByRole("button", { name: "Создать конфиг" }).click();
  await page.getByText("Осталось открыть файл на компьютере.").waitFor(PATIENCE);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Скачать конфиг" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("laptop.conf");
  file = await readFile(await download.path(), "utf8");

  const [computer] = network.clients;
  if (computer === undefined) throw new Error("the lab has no client");
  expect(await lab.fetchFrom(computer, `http://${lab.TARGET_ADDRESS}/`)).toBeNull();
  const tunnel = await lab.tunnelUp(network, computer, file);
  await lab.until(
    "the computer reaches the internet",
    () => lab.fetchFrom(computer, `http://${lab.TARGET_ADDRESS}/`),
    40_000,
  );
  await page.getByRole("status").getByText("Подключено").waitFor(PATIENCE);
  await seen(page, "connected");
  await dialog.getByRole("button", { name: "Готово" }).click();
  await page.getByText(/На связи/).waitFor(PATIENCE);
  await seen(page, "dashboard with devices");
  await tunnel.down();
});

test("she renames the computer and changes its DNS: the new file connects, with the same key and address", async () => {
  const { page } = friend;
  await page.getByRole("button", { name: "Изменить: laptop" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Имя", { exact: true }).fill("work");
  await dialog.getByLabel("DNS").selectOption({ label: "Quad9" });
  await seen(page, "changing a device");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await page.getByText("Обновите файл на устройстве").waitFor(PATIENCE);
  await seen(page, "a new file for the device");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Скачать конфиг" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("work.conf");
  const renewed = await readFile(await download.path(), "utf8");
  expect(renewed).toContain("DNS = 9.9.9.9");
  const lasting = /^(?:PrivateKey|Address|PresharedKey) = .*$/gm;
  expect(renewed.match(lasting)).toEqual(file.match(lasting));
  await dialog.getByRole("button", { name: "Готово" }).click();
  await page.getByRole("article", { name: "work" }).waitFor(PATIENCE);

  const [computer] = network.clients;
  if (computer === undefined) throw new Error("the lab has no client");
  const tunnel = await lab.tunnelUp(network, computer, renewed);
  await lab.until(
    "the computer reaches the internet",
    () => lab.fetchFrom(computer, `http://${lab.TARGET_ADDRESS}/`),
    40_000,
  );
  await tunnel.down();
});

test("a config deleted by mistake can be restored", async () => {
  const { page } = friend;
  await page.getByRole("button", { name: "Удалить: phone" }).click();
  const dialog = page.getByRole("dialog");
  await seen(page, "delete dialog");
  await dialog.getByRole("button", { name: "Удалить" }).click();
  await page.getByText("Конфигурация удалена").first().waitFor(PATIENCE);
  await page
    .getByRole("button", { name: /Вернуть/ })
    .first()
    .click();
  await page.getByRole("button", { name: "QR-код: phone" }).waitFor(PATIENCE);
  expect(friend.problems()).toEqual([]);
});
