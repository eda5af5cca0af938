import { readFile } from "node:fs/promises";
import { generateKeyPair } from "@krug/wireguard/keys";
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, PATIENCE, sendSignIn } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** An admin on a phone: groups, a speed limit, members from a file, a club that moves in, and a device that was away. */
let admin: Visitor;
let marina: Visitor;
openClub();

const PHRASE = "a phrase of one's own";
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const more = async (item: string) => {
  const { page } = admin;
  await page.getByRole("button", { name: "Ещё", exact: true }).click(PATIENCE);
  await page.getByRole("menuitem", { name: item }).click(PATIENCE);
};
/** Without loading the page again, which would ask for a code. */
const go = async (screen: string) => {
  const { page } = admin;
  await page.getByRole("button", { name: "Открыть разделы" }).click(PATIENCE);
  await page.getByRole("link", { name: screen }).click(PATIENCE);
};
/** What a browser would save. */
const saved = async (press: () => Promise<void>) => {
  const [download] = await Promise.all([admin.page.waitForEvent("download", PATIENCE), press()]);
  return readFile(await download.path(), "utf8");
};

test("makes a group, puts members in, and acts on all of it", async () => {
  admin = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.goto("/admin/users");
  await setUpSecondFactor(page);
  await more("Группы");
  const groups = dialogOf(page, "Группы участников");
  await groups.getByRole("button", { name: "Добавить группу" }).click(PATIENCE);
  const form = dialogOf(page, "Новая группа");
  await form.getByLabel("Название").fill("Дача", PATIENCE);
  await seen(page, "a new group");
  await form.getByRole("button", { name: "Сохранить" }).click();
  await groups.getByRole("link", { name: "Дача" }).waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await groups.waitFor({ ...PATIENCE, state: "detached" });

  await page.getByRole("button", { name: "Выбрать несколько" }).click(PATIENCE);
  for (const name of ["Антон", "Вера"])
    await page.getByRole("checkbox", { name: `Выбрать: ${name}`, exact: true }).check(PATIENCE);
  await seen(page, "two members selected");
  await page.getByRole("button", { name: "Другие действия с выбранными" }).click(PATIENCE);
  await page.getByRole("menuitem", { name: "Изменить группы" }).click(PATIENCE);
  const choice = dialogOf(page, /^Группы: 2/);
  await choice.getByLabel("Группа").selectOption("Дача", PATIENCE);
  await seen(page, "a group chosen");
  await choice.getByRole("button", { name: "Готово" }).click();
  await choice.waitFor({ ...PATIENCE, state: "detached" });
});

test("all of the group get another limit at once", async () => {
  const { page } = admin;
  await more("Группы");
  await dialogOf(page, "Группы участников").getByRole("link", { name: "Дача" }).click(PATIENCE);
  await page.getByText(/^1–2 из 2$/).waitFor(PATIENCE);
  await page.getByRole("checkbox", { name: "Выбрать всех на странице" }).check(PATIENCE);
  await page.getByRole("button", { name: "Другие действия с выбранными" }).click(PATIENCE);
  await page.getByRole("menuitem", { name: "Изменить лимит" }).click(PATIENCE);
  const limit = dialogOf(page, /^Лимит конфигов: 2/);
  await limit.getByLabel("Сколько конфигов может создать каждый").fill("7", PATIENCE);
  await seen(page, "a group's limit");
  await limit.getByRole("button", { name: "Сохранить" }).click();
  await page.getByText("Готово: 2 участника").waitFor(PATIENCE);
});

test("limits a member's speed, and the member sees it", async () => {
  marina = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(marina, "marina", "Марина");
  const { page } = admin;
  await go("Пользователи");
  await page.getByRole("searchbox").first().fill("marina", PATIENCE);
  await page.getByRole("link", { name: /marina/ }).click(PATIENCE);
  await page.getByRole("button", { name: "Изменить", exact: true }).click(PATIENCE);
  const dialog = dialogOf(page, /^Изменить/);
  await dialog.getByLabel("Скорость не ограничена").uncheck(PATIENCE);
  await dialog.getByLabel("Предел скорости, Мбит/с").fill("20");
  await seen(page, "a speed limit");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await dialog.waitFor({ ...PATIENCE, state: "detached" });
  await marina.page.getByText("До 20 Мбит/с на все устройства вместе").waitFor(PATIENCE);
  await seen(marina.page, "the member's speed");
});

test("members come from a file: its mistakes by line, then their links, printed; and the list goes out as a file", async () => {
  const { page } = admin;
  await page.getByRole("link", { name: "Назад: Пользователи" }).click(PATIENCE);
  const choose = async (text: string) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name: "Участники.csv", mimeType: "text/csv", buffer: Buffer.from(text) }, PATIENCE);
  await more("Добавить из файла");
  const dialog = dialogOf(page, "Участники из файла");
  await dialog.getByRole("button", { name: "Выбрать файл" }).waitFor(PATIENCE);
  await choose("Логин;Участник;Подписка до;Группы\nzoya-p;Зоя;завтра;Дача\nya;Яков;31.12.2031;Нет такой\n");
  await dialog.getByText("3 ошибки в файле, никто не добавлен").waitFor(PATIENCE);
  await dialog.getByText("Строка 2, «Подписка до»: «завтра» не дата. Пишите так: 31.12.2026").waitFor(PATIENCE);
  await dialog.getByText("Строка 3, «Логин»", { exact: false }).waitFor(PATIENCE);
  await seen(page, "a file with mistakes");
  await dialog.getByRole("button", { name: "Другой файл" }).click();
  await dialog.getByRole("button", { name: "Выбрать файл" }).waitFor(PATIENCE);
  await choose("Логин;Участник;Подписка до;Группы\nzoya-p;Зоя;31.12.2031;Дача\nyakov;Яков;31.12.2031;\n");
  await dialog.getByRole("button", { name: "Добавить 2 участников" }).click(PATIENCE);
  await dialog.getByRole("button", { name: "Напечатать" }).waitFor(PATIENCE);
  await seen(page, "new members' links");
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await dialog.getByRole("button", { name: "Напечатать" }).click();
  await page.locator("body[data-printed]").waitFor(PATIENCE);
  const links = await saved(() => dialog.getByRole("button", { name: "Сохранить файлом" }).click());
  expect(links).toMatch(/zoya-p.*password#/);
  await dialog.getByRole("button", { name: "Готово" }).click();
  await page.getByText("Зоя", { exact: true }).first().waitFor(PATIENCE);
  const list = await saved(() => page.getByRole("button", { name: "CSV" }).click());
  expect(list).toMatch(/Зоя.*31\.12\.2031/);
});

test("a club moves in from wg-easy, and a member finds their device behind the link", async () => {
  const { page } = admin;
  const keys = () => generateKeyPair();
  const [server, phone, tablet] = [keys(), keys(), keys()];
  const clientOf = (name: string, number: number, { privateKey, publicKey }: typeof phone) => ({
    ...{ name, address: `10.44.0.${number}`, privateKey, publicKey, preSharedKey: "", enabled: true },
    ...{ createdAt: "2025-01-01T00:00:00.000Z", updatedAt: "2025-01-01T00:00:00.000Z" },
  });
  const file = {
    server: { privateKey: server.privateKey, publicKey: server.publicKey, address: "10.44.0.1" },
    clients: { one: clientOf("pavel phone", 2, phone), two: clientOf("pavel tablet", 3, tablet) },
  };
  await go("WG Интерфейсы");
  await page.getByRole("button", { name: "Создать интерфейс" }).click(PATIENCE);
  await page.getByRole("button", { name: "Перенести из wg-quick, AmneziaVPN или wg-easy" }).first().click(PATIENCE);
  const dialog = dialogOf(page, "Перенести интерфейс");
  await dialog.getByRole("button", { name: "Выбрать файл" }).waitFor(PATIENCE);
  const buffer = Buffer.from(JSON.stringify(file));
  await page.locator("input[type=file]").setInputFiles({ name: "wg0.json", mimeType: "application/json", buffer });
  await dialog.getByRole("button", { name: "Всех остальных сделать участниками" }).click(PATIENCE);
  for (const field of await dialog.getByLabel("Логин нового участника").all()) await field.fill("pavel");
  const port = dialog.getByLabel("Порт UDP");
  if ((await port.inputValue()) === "") await port.fill("51999");
  await seen(page, "a club that moves in");
  await dialog.getByRole("button", { name: "Перенести: 2" }).click();
  const links = await saved(() => dialog.getByRole("button", { name: "Сохранить файлом" }).click(PATIENCE));
  await seen(page, "links of who moved in");
  await dialog.getByRole("button", { name: "Готово" }).click();

  const link = new URL(/https?:\S+password#[^\s;",]+/.exec(links)?.[0] ?? "");
  const pavel = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(pavel);
  await pavel.page.goto(link.pathname + link.hash);
  await pavel.page.getByLabel("Пароль", { exact: true }).fill(PHRASE, PATIENCE);
  await pavel.page.getByLabel("Повторите пароль").fill(PHRASE);
  await pavel.page.getByRole("button", { name: "Сохранить пароль" }).click();
  await pavel.page.getByRole("link", { name: "Войти" }).click(PATIENCE);
  await sendSignIn(pavel.page, "pavel", PHRASE);
  await acceptCharter(pavel.page, PATIENCE);
  await pavel.page.getByText("pavel-phone").first().waitFor(PATIENCE);
  await pavel.page.getByText("pavel-tablet").first().waitFor(PATIENCE);
  await seen(pavel.page, "devices that moved in");
  expect(pavel.problems()).toEqual([]);
  await pavel.context.close();
});

test("a device that was switched off for staying away is back by one press of its member", async () => {
  const { db } = club.app.parts;
  await sql`update configs set dormant_since = ${Date.now()} where name = 'ipad-kids'`.execute(db);
  const { page } = marina;
  await page.reload();
  const wake = page.getByRole("button", { name: "Включить снова: ipad-kids" });
  await wake.waitFor(PATIENCE);
  await wake.scrollIntoViewIfNeeded();
  await seen(page, "a device that was away");
  await wake.click();
  await page.getByText("ipad-kids: включён снова").waitFor(PATIENCE);
  await wake.waitFor({ ...PATIENCE, state: "detached" });
  expect([...admin.problems(), ...marina.problems()]).toEqual([]);
});
