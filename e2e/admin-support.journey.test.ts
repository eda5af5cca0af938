import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { seen } from "./seen.ts";

/** Vera writes from her phone, a moderator answers on theirs, and an admin on a desktop follows along. */
let vera: Visitor;
let moderator: Visitor;
let admin: Visitor;
openClub();

/** Enters the administration area by setting up the second factor. */
async function comeIn(visitor: Visitor, username: string, name: string) {
  const { page } = visitor;
  await enter(visitor, username, name);
  await page.goto("/admin/support");
  const dialog = page.getByRole("dialog", { name: "Двухфакторная аутентификация" });
  const secret = (await dialog.getByRole("code").textContent(PATIENCE)) ?? "";
  await page.getByLabel("Цифра 1 из 6").click(PATIENCE);
  await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, "")) }).generate());
  await page.getByRole("button", { name: "Коды сохранены, продолжить" }).click(PATIENCE);
  await page.getByRole("heading", { level: 1, name: "Поддержка" }).waitFor(PATIENCE);
}

const rowOf = (page: Page, name: RegExp) =>
  page.getByRole("list", { name: "Диалоги с участниками" }).getByRole("link", { name });
const write = async (page: Page, text: string) => {
  await page.getByLabel("Сообщение", { exact: true }).fill(text);
  await page.getByLabel("Сообщение", { exact: true }).press("Enter");
};
const said = (page: Page) => page.getByRole("log").locator("article > div:first-of-type p").allTextContents();

test("her question appears in the moderator's list by itself, with the number of new messages", async () => {
  vera = await visit(browser, { screen: "phone", baseURL: club.url });
  moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(vera, "vera", "Вера");
  await comeIn(moderator, "moderator", "Модератор");
  // Her message from the device check is unseen; a VIP member's question is not visible to moderators.
  await rowOf(moderator.page, /Вера.*pixel-vera.*1.непрочитанное сообщение/).waitFor(PATIENCE);
  expect(await rowOf(moderator.page, /Светлана/).count()).toBe(0);
  await seen(moderator.page, "the conversations on a phone");
  await vera.page.getByRole("button", { name: /^Поддержка/ }).tap();
  await write(vera.page, "И ещё: где взять QR-код?");
  await rowOf(moderator.page, /Вера.*где взять QR-код.*2.непрочитанных сообщения/).waitFor(PATIENCE);
});

test("the moderator reads it, the member sees that, and the answer arrives at once", async () => {
  const { page } = moderator;
  await rowOf(page, /Вера/).tap();
  await page.getByRole("log").getByText("где взять QR-код").waitFor(PATIENCE);
  await vera.page.getByText("прочитано").waitFor(PATIENCE);
  await page.getByRole("button", { name: "Взять себе" }).tap();
  await page.getByRole("button", { name: "Заготовки ответов" }).tap();
  await seen(page, "the answer templates on a phone");
  await page
    .getByRole("dialog", { name: "Заготовки ответов" })
    .getByRole("button", { name: /^Где войти/ })
    .tap();
  const box = page.getByLabel("Сообщение", { exact: true });
  await expect.poll(() => box.inputValue(), PATIENCE).toMatch(/^Ваш логин: vera\./);
  await expect.poll(() => box.evaluate((one) => one === document.activeElement), PATIENCE).toBe(true);
  expect(await said(page), "it is only in the box").not.toContainEqual(expect.stringMatching(/^Ваш логин/));
  await write(page, "На карточке устройства, кнопка «QR»");
  await vera.page.getByRole("log").getByText("кнопка «QR»").waitFor(PATIENCE);
  await seen(page, "a conversation on a phone");
  await page.getByRole("button", { name: "Об участнике" }).tap();
  await page.getByRole("dialog", { name: "Вера" }).getByText("pixel-vera").waitFor(PATIENCE);
  await seen(page, "what is known of her");
  await page.getByRole("dialog", { name: "Вера" }).getByRole("button", { name: "Закрыть" }).tap();
  await page.getByRole("link", { name: "К списку" }).tap();
  // She no longer waits, and is assigned to the moderator.
  await rowOf(page, /Вера/).waitFor({ ...PATIENCE, state: "hidden" });
  await page.getByText("Мои", { exact: true }).tap();
  await rowOf(page, /Вера.*Модератор: На карточке.*ведёт Модератор/).waitFor(PATIENCE);
  expect(await rowOf(page, /Вера.*непрочитан/).count()).toBe(0);
});

test("the moderator takes, answers and closes the ticket on a phone; an admin on a desktop sees the assignee and both complete threads", async () => {
  const chat = vera.page.getByRole("dialog", { name: "Поддержка" });
  await chat.getByText("Обращения").tap();
  await chat.getByRole("button", { name: "Создать обращение" }).tap();
  await chat.getByLabel("Тема").fill("Не открывается банк");
  await chat.getByLabel("Что случилось").fill("С VPN приложение банка молчит.");
  await chat.getByRole("button", { name: "Отправить", exact: true }).tap();
  await chat.getByRole("heading", { name: "Не открывается банк" }).waitFor(PATIENCE);

  const { page } = moderator;
  await page
    .getByText(/^Обращения/)
    .first()
    .tap();
  await page.getByLabel("Состояние").selectOption({ label: "Открытые" });
  await page.getByRole("link", { name: /Не открывается банк.*Вера · Открыто, никто не взял/ }).tap();
  await page.getByRole("button", { name: "Взять в работу" }).tap();
  await chat.getByText("В работе").waitFor(PATIENCE);
  await seen(page, "a ticket on a phone");
  await write(page, "Какой банк?");
  await chat.getByText("Какой банк?").waitFor(PATIENCE);

  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await comeIn(admin, "admin", "Администратор");
  await rowOf(admin.page, /Светлана/).waitFor(PATIENCE);
  await admin.page.getByRole("searchbox").fill("QR-КОД");
  await rowOf(admin.page, /Вера.*где взять QR-код/).click();
  await expect.poll(() => said(admin.page)).toEqual(await chatOfVera());
  await admin.page
    .getByRole("link", { name: /^Не открывается банк/ })
    .first()
    .click();
  await expect
    .poll(() =>
      admin.page.getByLabel("Кто ведёт").evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text),
    )
    .toBe("Модератор");
  await seen(admin.page, "a ticket at a desk");

  await page.getByRole("button", { name: "Закрыть обращение" }).tap();
  await page
    .getByRole("dialog", { name: "Закрыть обращение?" })
    .getByRole("button", { name: "Закрыть обращение" })
    .tap();
  await chat.getByText("Обращение закрыто.", { exact: false }).waitFor(PATIENCE);
  await admin.page.getByText("Обращение закрыто, писать в него больше нельзя.").waitFor(PATIENCE);
  expect(await admin.page.getByLabel("Сообщение", { exact: true }).count()).toBe(0);
  await seen(admin.page, "a closed ticket at a desk");
});

/** As the panel stores it. */
const chatOfVera = async () =>
  (
    await club.asAdmin(
      "GET /admin/support/conversations/{userId}/messages",
      "/admin/support/conversations/vera/messages",
    )
  ).map(({ content }) => content);

test("messages that arrive while the window is hidden show in its title", async () => {
  const { page } = admin;
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const before = Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0);
  await vera.page.getByText("Чат", { exact: true }).tap();
  await write(vera.page, "Спасибо, всё получилось");
  await expect.poll(() => page.title(), PATIENCE).toBe(`(${before + 1}) Поддержка · Круг`);
  for (const visitor of [vera, moderator, admin]) expect(visitor.problems()).toEqual([]);
});
