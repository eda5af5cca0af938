import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** Access rules: an admin on a desktop bans, excepts, checks and deletes; a moderator on a phone reads. */
let admin: Visitor;
openClub();

const blacklist = () => admin.page.getByRole("region", { name: "Чёрный список" });
const whitelist = () => admin.page.getByRole("region", { name: "Белый список" });

async function check(who: string, where: string, answer: string) {
  const panel = admin.page.getByRole("region", { name: "Проверить доступ" });
  await panel.getByRole("combobox", { name: "Участник" }).fill(who);
  await panel
    .getByRole("option", { name: new RegExp(who) })
    .first()
    .click(PATIENCE);
  await panel.getByLabel("Адрес или домен").fill(where);
  await panel.getByRole("button", { name: "Проверить" }).click();
  await panel.getByText(answer).waitFor(PATIENCE);
}

test("an admin bans an address for one member, and the ban is in force", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.goto("/admin/rules");
  await setUpSecondFactor(page);
  await blacklist().getByText("tracker.example").waitFor(PATIENCE);
  await seen(page, "the rules");

  await page.getByRole("button", { name: "Добавить правило" }).click();
  const dialog = page.getByRole("dialog", { name: "Новое правило" });
  await dialog.getByLabel("Адрес, сеть или домен").fill("192.0.2.99");
  await dialog.getByText("Выбранные", { exact: true }).click();
  await dialog.getByRole("combobox").fill("марина");
  await dialog.getByRole("option", { name: /Марина/ }).waitFor(PATIENCE);
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Убрать: Марина" }).waitFor(PATIENCE);
  await seen(page, "a new rule");
  await dialog.getByRole("button", { name: "Создать" }).click();
  await blacklist().getByText("192.0.2.99").waitFor(PATIENCE);
  await page.getByRole("region", { name: "Где действуют" }).getByText("в силе").waitFor(PATIENCE);

  await blacklist().getByRole("button", { name: "выбранные участники: 1" }).click();
  await page
    .getByRole("dialog", { name: "Для кого: 192.0.2.99" })
    .getByText("Марина", { exact: true })
    .waitFor(PATIENCE);
  await page.keyboard.press("Escape");
});

test("a check shows who is blocked and by which rule, and an exception wins", async () => {
  const { page } = admin;
  await check("Марина", "192.0.2.99", "Марина не откроет 192.0.2.99");
  await check("Вера", "192.0.2.99", "Вера откроет 192.0.2.99");
  await seen(page, "a check");
  await page.getByRole("button", { name: "Добавить правило" }).click();
  const dialog = page.getByRole("dialog", { name: "Новое правило" });
  await dialog.getByText("Белый список", { exact: true }).click();
  await dialog.getByLabel("Адрес, сеть или домен").fill("192.0.2.99");
  await dialog.getByRole("button", { name: "Создать" }).click();
  await whitelist().getByText("192.0.2.99").waitFor(PATIENCE);
  await check("Марина", "192.0.2.99", "Марина откроет 192.0.2.99");
});

test("a rule that another admin adds appears by itself, and a search without results says so", async () => {
  await club.asAdmin("POST /admin/rules", "/admin/rules", { target: "203.0.113.250" });
  await blacklist().getByText("203.0.113.250").waitFor(PATIENCE);
  await admin.page.getByRole("searchbox", { name: "Найти правило" }).fill("250");
  await whitelist().getByText("По этому запросу правил нет").waitFor(PATIENCE);
  await admin.page.waitForURL(/q=250/, PATIENCE);
});

test("the admin deletes a rule after a confirmation", async () => {
  const { page } = admin;
  await blacklist().getByRole("button", { name: "Удалить правило: 203.0.113.250" }).click();
  await page.getByRole("dialog", { name: "Удалить правило?" }).getByRole("button", { name: "Удалить" }).click();
  await blacklist().getByText("По этому запросу правил нет").waitFor(PATIENCE);
  expect(admin.problems()).toEqual([]);
});

test("a moderator on a phone reads one list at a time and can check, but change nothing", async () => {
  const moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(moderator, "moderator", "Модератор");
  const { page } = moderator;
  await page.goto("/admin/rules");
  await setUpSecondFactor(page);
  await page.getByText("tracker.example").waitFor(PATIENCE);
  expect(await page.getByText("bank.example").isVisible()).toBe(false);
  // A rule for a VIP member and another member does not mention the VIP member.
  await page.getByRole("button", { name: "выбранные участники: 1" }).last().waitFor(PATIENCE);
  await seen(page, "the blacklist on a phone");
  await page.getByText("Белый список", { exact: true }).first().tap();
  await page.getByText("bank.example").waitFor(PATIENCE);
  await page.waitForURL(/list=whitelist/, PATIENCE);
  await seen(page, "the whitelist on a phone");
  expect(await page.getByRole("button", { name: /Добавить правило|Удалить правило/ }).count()).toBe(0);
  await page.getByRole("combobox", { name: "Участник" }).fill("вера");
  await page.getByRole("option", { name: /Вера/ }).tap();
  await page.getByLabel("Адрес или домен", { exact: true }).fill("bank.example");
  await page.getByRole("button", { name: "Проверить", exact: true }).tap();
  await page.getByText("Вера откроет bank.example").waitFor(PATIENCE);
  await seen(page, "a check on a phone");
  moderator.expectProblem(/403/);
  const status = await page.evaluate(async () => {
    const body = JSON.stringify({ target: "203.0.113.9" });
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/admin/rules", { method: "POST", headers, body })).status;
  });
  expect(status).toBe(403);
  expect(moderator.problems()).toEqual([]);
});
