import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, fillAccount, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { OLDER_BROWSER } from "./older-browsers.ts";

/** The oldest browsers that pages support (ADR 120), as far as scripts go: one without anything newer. */
openClub();

async function older(): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "desktop", baseURL: club.url });
  await visitor.context.addInitScript(OLDER_BROWSER);
  expectGuest(visitor);
  return visitor;
}

test("a friend joins, creates a config, changes settings and writes to support", async () => {
  const visitor = await older();
  const { page } = visitor;
  await page.goto("/");
  expect(await page.evaluate("[typeof [].toSorted, 'any' in AbortSignal, new URLSearchParams('a=1').size]")).toEqual([
    "function",
    true,
    undefined,
  ]);
  await page.getByRole("link", { name: "Регистрация по приглашению" }).click();
  await page.getByLabel("Знак 1 из 6").click(PATIENCE);
  await page.keyboard.type(await club.inviteCode());
  await fillAccount(page, "platon", "a phrase of one's own");
  await page.getByRole("button", { name: "Создать аккаунт" }).click();
  await acceptCharter(page, PATIENCE);
  await page.getByRole("button", { name: "Создать конфиг" }).first().click(PATIENCE);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Телефон").click(PATIENCE);
  await dialog.getByRole("button", { name: "Создать конфиг" }).click();
  await page.getByRole("img", { name: "QR код конфигурации phone" }).waitFor(PATIENCE);
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Скачать конфиг" }).click();
  expect((await downloading).suggestedFilename()).toBe("phone.conf");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("dialog", { name: "Настройки" }).getByText("Других входов нет.").waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Поддержка" }).click();
  const chat = page.getByRole("dialog", { name: "Поддержка" });
  await chat.getByLabel("Сообщение", { exact: true }).fill("Не включается", PATIENCE);
  await chat.getByRole("button", { name: "Отправить сообщение" }).click();
  await chat.getByText("отправлено").waitFor(PATIENCE);
  expect(visitor.problems()).toEqual([]);
  await visitor.context.close();
});

test("staff sign in, search the list, and every section opens", async () => {
  const visitor = await older();
  const { page } = visitor;
  await enter(visitor, "admin", "Администратор");
  await page.getByRole("link", { name: "Панель управления" }).click();
  await setUpSecondFactor(page);
  await page.getByRole("searchbox").fill("нина", PATIENCE);
  await expect.poll(() => page.getByRole("row").count(), PATIENCE).toBe(2);
  const sections = page.getByRole("navigation").getByRole("link");
  const names = (await sections.allTextContents()).map((name) => name.replace(/\d.*/, ""));
  for (const name of names.filter((one) => !one.includes("Назад"))) {
    await sections.filter({ hasText: name }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor(PATIENCE);
    await page.waitForLoadState("networkidle");
  }
  expect(await page.getByText("Страница не открылась").count()).toBe(0);
  expect(visitor.problems()).toEqual([]);
  await visitor.context.close();
});
