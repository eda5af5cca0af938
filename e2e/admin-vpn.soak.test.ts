import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** Staff look at the club's VPN use; an admin deletes a config and writes to a member, who reads about both. */
let admin: Visitor;
let moderator: Visitor;
let marina: Visitor;
openClub();

const goTo = async (page: Page, section: string) => {
  await page.getByRole("link", { name: section, exact: true }).click(PATIENCE);
  await page.getByRole("heading", { level: 1, name: section }).waitFor(PATIENCE);
};

test("an admin sees connections and traffic, also as a table and a file", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.getByRole("link", { name: "Панель управления" }).click();
  await setUpSecondFactor(page);
  await goTo(page, "Статистика VPN");
  await page.getByRole("heading", { name: "Больше всех за 24 часа" }).waitFor(PATIENCE);
  await page.getByRole("link", { name: "Светлана Подгорная-Черкасова" }).waitFor(PATIENCE);
  await seen(page, "the statistics");
  await page.getByText("Год", { exact: true }).click();
  await page.getByRole("heading", { name: "Трафик по месяцам" }).waitFor(PATIENCE);
  expect(new URL(page.url()).search).toBe("?span=year");
  await page.getByRole("button", { name: "Показать таблицей" }).click();
  // Twelve months, their sum and the header.
  await expect.poll(() => page.getByRole("table").getByRole("row").count()).toBe(14);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^krug-traffic-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole("link", { name: /^Все \d+$/ }).click();
  await page.getByRole("button", { name: /^iphone-marina/ }).waitFor(PATIENCE);
  expect(new URL(page.url()).search).toBe("?filter=online");
});

test("the admin deletes a member's config and writes to her; she sees both without a reload", async () => {
  const { page } = admin;
  marina = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(marina, "marina", "Марина");
  await marina.page.getByRole("button", { name: /^Уведомления, новых: \d$/ }).click(PATIENCE);
  const sheet = marina.page.getByRole("dialog", { name: "Уведомления" });
  await sheet.getByText("Сообщение от администрации").waitFor(PATIENCE);
  await seen(marina.page, "the inbox");
  await sheet.getByRole("button", { name: "Закрыть" }).click();
  await marina.page.getByRole("button", { name: "Уведомления", exact: true }).waitFor(PATIENCE);

  await page.getByLabel("Какие показать").selectOption("Все");
  await page.getByRole("button", { name: /^work-laptop/ }).click(PATIENCE);
  const details = page.getByRole("dialog", { name: "work-laptop" });
  await seen(page, "a config's details");
  await details.getByRole("button", { name: "Удалить" }).click();
  await page
    .getByRole("dialog", { name: "Удалить конфиг work-laptop?" })
    .getByRole("button", { name: "Удалить" })
    .click(PATIENCE);
  await page.getByRole("button", { name: /^work-laptop/ }).waitFor({ state: "hidden", ...PATIENCE });
  await marina.page.getByRole("button", { name: "Уведомления, новых: 1" }).click(PATIENCE);
  await sheet.getByText("Конфиг work-laptop удалён").waitFor(PATIENCE);

  await goTo(page, "Пользователи");
  await page.getByRole("button", { name: "Действия: Марина" }).click(PATIENCE);
  await page.getByRole("menuitem", { name: "Написать участнику" }).click();
  const writing = page.getByRole("dialog", { name: "Сообщение: Марина" });
  await writing.getByLabel("Текст сообщения").fill("Ноутбук удалили по вашей просьбе.");
  await seen(page, "a message to a member");
  await writing.getByRole("button", { name: "Отправить" }).click();
  await writing.waitFor({ state: "hidden", ...PATIENCE });
  // It appears in the open sheet.
  await sheet.getByText("Ноутбук удалили по вашей просьбе.").waitFor(PATIENCE);
  expect(admin.problems()).toEqual([]);
  expect(marina.problems()).toEqual([]);
});

test("a moderator on a phone reads the same without VIP members and cannot delete", async () => {
  moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(moderator, "moderator", "Модератор");
  const { page } = moderator;
  await page.goto("/admin/vpn?span=month");
  await setUpSecondFactor(page);
  await page.getByRole("heading", { name: "Больше всех за 30 дней" }).waitFor(PATIENCE);
  await page.getByRole("link", { name: "Антон Королёв" }).first().waitFor(PATIENCE);
  expect(await page.getByText("Светлана Подгорная-Черкасова").count()).toBe(0);
  await seen(page, "the statistics on a phone");
  await page.getByRole("button", { name: "Открыть разделы" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Конфигурации" }).click(PATIENCE);
  await page.getByRole("searchbox").fill("svetlana");
  await page.getByText("Ничего не нашлось. Измените поиск или фильтр.").waitFor(PATIENCE);
  await page.getByRole("searchbox").fill("нина");
  await page.getByRole("button", { name: /^nina/ }).click(PATIENCE);
  const details = page.getByRole("dialog", { name: "nina" });
  await details.getByText("создан панелью").waitFor(PATIENCE);
  await seen(page, "a config's details on a phone");
  expect(await details.getByRole("button", { name: "Удалить" }).count()).toBe(0);
  expect(moderator.problems()).toEqual([]);
});
