import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, fillAccount, PATIENCE } from "./enter.ts";
import { seen } from "./seen.ts";

/** Payments and invitations: a moderator on a phone handles receipts, an admin on a desktop sets months and creates codes. */
let admin: Visitor;
let moderator: Visitor;
let madeCode = "";
openClub();

/** Signs in, opens a section and sets up the second factor in the dialog in front of it. */
async function comeIn(visitor: Visitor, username: string, name: string, place: string): Promise<void> {
  await enter(visitor, username, name);
  const { page } = visitor;
  await page.goto(`/admin/${place}`);
  const dialog = page.getByRole("dialog", { name: "Двухфакторная аутентификация" });
  const secret = (await dialog.getByRole("code").textContent(PATIENCE)) ?? "";
  await page.getByLabel("Цифра 1 из 6").click(PATIENCE);
  await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, "")) }).generate());
  await page.getByRole("button", { name: "Коды сохранены, продолжить" }).click(PATIENCE);
}
const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
const act = async (page: Page, name: string, action: string) => {
  await page.getByRole("button", { name: `Действия: ${name}` }).click(PATIENCE);
  await page.getByRole("menuitem", { name: action }).click(PATIENCE);
};

test("a moderator on a phone looks at a receipt, confirms it, and declines another with a reason", async () => {
  moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await comeIn(moderator, "moderator", "Модератор", "payments");
  const { page } = moderator;
  await page.getByRole("heading", { name: /Сообщили об оплате/ }).waitFor(PATIENCE);
  await seen(page, "the month with the queue");
  await page.getByRole("button", { name: "Чек: Екатерина Руднева" }).click();
  const receipt = page.getByRole("dialog", { name: "Чек: Екатерина Руднева" });
  await receipt.getByRole("img", { name: /Чек, который/ }).waitFor(PATIENCE);
  await seen(page, "the receipt");
  await receipt.getByRole("button", { name: "Подтвердить" }).click();
  await page.getByText(/Екатерина Руднева: оплата подтверждена, подписка до/).waitFor(PATIENCE);
  await receipt.waitFor({ state: "detached", ...PATIENCE });
  await page.getByRole("button", { name: "Отклонить: Игорь Жданов" }).click();
  const decline = page.getByRole("dialog", { name: "Игорь Жданов: оплата не найдена?" });
  await decline.getByLabel("Что ответить").fill("Перевода на 300 ₽ нет");
  await seen(page, "declining");
  await decline.getByRole("button", { name: "Отклонить" }).click();
  await page.getByText("Игорь Жданов: ответ отправлен").waitFor(PATIENCE);
  expect(moderator.problems()).toEqual([]);
});

test("a member's claim appears on staff's open page, and the decision on the member's, without a reload", async () => {
  const oleg = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(oleg, "oleg", "Олег");
  await oleg.page.getByRole("button", { name: /оплат/i }).first().click(PATIENCE);
  const sheet = oleg.page.getByRole("dialog", { name: "Оплата" });
  await sheet.getByRole("button", { name: "Я оплатил" }).click(PATIENCE);
  await sheet.getByText("Ждём подтверждения оплаты").waitFor(PATIENCE);
  const claims = moderator.page.getByRole("region", { name: /Сообщили об оплате/ });
  await claims.getByRole("button", { name: "Показать остальных" }).click(PATIENCE);
  await claims.getByRole("button", { name: "Подтвердить оплату: Олег" }).click(PATIENCE);
  await sheet.getByText("Оплата подтверждена").waitFor(PATIENCE);
  expect(oleg.problems()).toEqual([]);
  await oleg.context.close();
});

test("an admin on a desktop sees what undoing or granting a month does before confirming it", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await comeIn(admin, "admin", "Администратор", "payments");
  const { page } = admin;
  await row(page, "Нина Островская").getByText("Оплачено").waitFor(PATIENCE);
  await seen(page, "the month at a desk");
  await act(page, "Нина Островская", "Оплата не поступила");
  const taking = page.getByRole("dialog", { name: /Нина Островская/ });
  await taking.getByText(/уйдёт ровно тот месяц/).waitFor(PATIENCE);
  await seen(page, "what is taken back");
  await taking.getByRole("button", { name: "Не поступила" }).click();
  await row(page, "Нина Островская").getByText("Просрочено").waitFor(PATIENCE);
  await row(page, "Нина Островская").getByRole("button", { name: "Подтвердить оплату: Нина Островская" }).click();
  const granting = page.getByRole("dialog", { name: /Нина Островская/ });
  await granting.getByText("Подтвердить, что оплата получена?").waitFor(PATIENCE);
  await granting.getByRole("button", { name: "Оплата получена" }).click();
  await row(page, "Нина Островская").getByText("Оплачено").waitFor(PATIENCE);
  // Unlimited members have nothing to confirm, and earlier months only show the reason.
  expect(
    await row(page, "Дмитрий Черных")
      .getByRole("button", { name: /Подтвердить/ })
      .count(),
  ).toBe(0);
  await page.getByRole("button", { name: "Предыдущий месяц" }).click();
  await page.getByText("Оплата может быть подтверждена только за текущий месяц.").waitFor(PATIENCE);
  expect(admin.problems()).toEqual([]);
});

test("the admin creates a code that lets a newcomer in, sees who joined with it, and deactivates it", async () => {
  const { page } = admin;
  await page.getByRole("link", { name: "Инвайт-коды" }).click();
  await page.getByRole("button", { name: "Создать код" }).click(PATIENCE);
  const form = page.getByRole("dialog", { name: "Новый инвайт-код" });
  await form.getByLabel("Сколько дней").fill("14", PATIENCE);
  await form.getByLabel("Сколько человек может прийти").fill("2");
  await form.getByLabel("Interface 1").check();
  await form.getByRole("button", { name: "Создать код" }).click();
  const made = page.getByRole("dialog", { name: "Код создан" });
  const spoken = await made.getByText(/^([A-Z2-9] ){5}[A-Z2-9]$/).textContent(PATIENCE);
  const code = (spoken ?? "").replaceAll(" ", "");
  madeCode = code;
  await seen(page, "the code that was made");
  await made.getByRole("button", { name: "Готово" }).click();
  await page.getByRole("link", { name: code }).click(PATIENCE);
  await page.getByText("Пока никто.").waitFor(PATIENCE);

  const newcomer = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(newcomer);
  await newcomer.page.goto("/register");
  await newcomer.page.getByLabel("Знак 1 из 6").click(PATIENCE);
  await newcomer.page.keyboard.type(code);
  await fillAccount(newcomer.page, "platon", "a phrase of one's own");
  await newcomer.page.getByRole("button", { name: "Создать аккаунт" }).click();
  await newcomer.page.getByRole("dialog", { name: "Устав клуба" }).waitFor(PATIENCE);
  expect(newcomer.problems()).toEqual([]);
  await newcomer.context.close();

  await page.getByRole("link", { name: "platon" }).waitFor(PATIENCE);
  await page.getByText("1 из 2").waitFor(PATIENCE);
  await seen(page, "a code's page");
  await page.getByRole("button", { name: "Деактивировать" }).click();
  await page
    .getByRole("dialog", { name: `Деактивировать код ${code}?` })
    .getByRole("button", { name: "Деактивировать" })
    .click();
  await page.getByText("Деактивирован", { exact: true }).first().waitFor(PATIENCE);
  expect(admin.problems()).toEqual([]);
});

test("the palette opens a code for a moderator, read-only", async () => {
  const { page } = moderator;
  await page.getByRole("button", { name: "Открыть разделы" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Инвайт-коды" }).click();
  await page.getByText("Менять данные может администратор.").waitFor(PATIENCE);
  await page.getByRole("link", { name: new RegExp(madeCode) }).waitFor(PATIENCE);
  await seen(page, "the codes on a phone");
  await page.getByRole("button", { name: "Найти что угодно" }).click();
  const palette = page.getByRole("dialog", { name: "Поиск" });
  await palette.getByRole("combobox").fill(madeCode);
  await palette.getByRole("option", { name: new RegExp(madeCode) }).click(PATIENCE);
  await page.getByRole("link", { name: "platon" }).waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: "Изменить" }).count()).toBe(0);
  expect(moderator.problems()).toEqual([]);
});
