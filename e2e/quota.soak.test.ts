import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** A traffic quota: an admin sets one, the member's page shows its effect at once, and the admin resets it. */
let admin: Visitor;
let marina: Visitor;
openClub();

const setQuota = async (gigabytes: string) => {
  const { page } = admin;
  await page.getByRole("button", { name: "Изменить", exact: true }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: /^Изменить/ });
  const noQuota = dialog.getByLabel("Трафик не ограничен");
  if (await noQuota.isChecked(PATIENCE)) await noQuota.uncheck();
  await dialog.getByLabel("Трафик в месяц, ГБ").fill(gigabytes);
  await seen(page, "a member's quota");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await dialog.waitFor({ ...PATIENCE, state: "detached" });
};

test("an admin gives a member less traffic than she has used: her open page says that the VPN is off, and why", async () => {
  marina = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(marina, "marina", "Марина");
  await marina.page
    .getByText(/На связи/)
    .first()
    .waitFor(PATIENCE);
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  await admin.page.goto("/admin/users/marina");
  await setUpSecondFactor(admin.page);
  await admin.page.getByText("iphone-marina").waitFor(PATIENCE);
  // What she used, by day, then by month.
  const days = admin.page.getByRole("region", { name: "Трафик по дням" });
  await days.getByText("Год", { exact: true }).click(PATIENCE);
  const months = admin.page.getByRole("region", { name: "Трафик по месяцам" });
  await months.getByRole("button", { name: "Показать таблицей" }).click(PATIENCE);
  await seen(admin.page, "a member's traffic");
  await setQuota("0,1");
  await marina.page.getByText("Трафик на этот месяц израсходован").waitFor(PATIENCE);
  await marina.page.getByText("Отключён: трафик израсходован").first().waitFor(PATIENCE);
  expect(await marina.page.getByRole("button", { name: "Создать конфиг" }).count()).toBe(0);
  await seen(marina.page, "a used up quota");
  await marina.page.getByRole("button", { name: /^Уведомления, новых/ }).click(PATIENCE);
  const inbox = marina.page.getByRole("dialog", { name: "Уведомления" });
  await inbox.getByText("Использованы все", { exact: false }).first().waitFor(PATIENCE);
  await marina.page.keyboard.press("Escape");
  await inbox.waitFor({ ...PATIENCE, state: "detached" });
});

test("'Не работает?' says the same", async () => {
  const { page } = marina;
  await page.getByRole("button", { name: "Не работает? iphone-marina" }).click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: "Не работает iphone-marina?" });
  await sheet.getByText("Трафик на этот месяц израсходован").waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ ...PATIENCE, state: "detached" });
});

test("the admin resets the count, and the member is back", async () => {
  const { page } = admin;
  await page.getByRole("button", { name: "Обнулить" }).click(PATIENCE);
  const ask = page.getByRole("dialog", { name: "Обнулить счётчик трафика: Марина?" });
  await ask.getByRole("button", { name: "Обнулить" }).click(PATIENCE);
  await page.getByText("Счётчик трафика обнулён").waitFor(PATIENCE);
  await marina.page
    .getByText("Отключён: трафик израсходован")
    .first()
    .waitFor({ ...PATIENCE, state: "detached" });
  await marina.page.getByText(/^Трафик: /).waitFor(PATIENCE);
  expect(await marina.page.getByRole("button", { name: "Создать конфиг" }).count()).toBeGreaterThan(0);
});

test("what the admin sets for new members is what the next one starts with", async () => {
  const { page } = admin;
  await page.getByRole("link", { name: "Управление системой" }).click(PATIENCE);
  await page.getByText("Клуб", { exact: true }).click(PATIENCE);
  await page.getByLabel("Трафик не ограничен").uncheck(PATIENCE);
  await page.getByLabel("Трафик нового участника в месяц, ГБ").fill("20");
  await seen(page, "the traffic of new members");
  await page.getByRole("button", { name: "Сохранить" }).click();
  await page.getByText("Настройки сохранены").waitFor(PATIENCE);
  await club.asAdmin("POST /users", "/users", { username: "fresh" });
  await page.getByRole("link", { name: "Пользователи" }).click(PATIENCE);
  await page.getByRole("link", { name: /fresh/ }).click(PATIENCE);
  await page.getByText(/0\sB из\s20,0\sGB до/).waitFor(PATIENCE);
  expect([...marina.problems(), ...admin.problems()]).toEqual([]);
});
