import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, fillAccount, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** A template: an admin creates one, a code carries it, and whoever joins by the link starts with it. */
let admin: Visitor;
let guest: Visitor;
openClub();

let link = "";

test("an admin adds a template on the system screen", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.goto("/admin/system?section=club");
  await setUpSecondFactor(page);
  const panel = page.getByRole("region", { name: "Шаблоны для новых участников" });
  await panel.getByRole("button", { name: "Добавить шаблон" }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: "Новый шаблон" });
  await dialog.getByLabel("Название").fill("Гости", PATIENCE);
  await dialog.getByLabel("Сколько конфигов можно создать").fill("1");
  await dialog.getByLabel("YouTube").check();
  await seen(page, "a new template");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await panel.getByText("Гости").waitFor(PATIENCE);
  await seen(page, "templates");
});

test("a code is created with it, and its page says so", async () => {
  const { page } = admin;
  await admin.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: club.url });
  await page.getByRole("link", { name: "Инвайт-коды" }).click(PATIENCE);
  await page.getByRole("button", { name: "Создать код" }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: "Новый инвайт-код" });
  await dialog.getByLabel("Шаблон").selectOption("Гости", PATIENCE);
  await dialog.getByRole("checkbox", { name: /Interface 1/ }).check();
  await seen(page, "a code with a template");
  await dialog.getByRole("button", { name: "Создать код" }).click();
  const made = page.getByRole("dialog", { name: "Код создан" });
  await made.getByRole("button", { name: "Скопировать приглашение" }).click(PATIENCE);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/register#code=/);
  link = (await page.evaluate(() => navigator.clipboard.readText())).split(" ").at(-1) ?? "";
  await made.getByRole("button", { name: "Готово" }).click();
  await page.getByRole("row").filter({ hasText: "Гости" }).first().waitFor(PATIENCE);
});

test("a newcomer who opens the link and registers finds the template's service preselected for the first device", async () => {
  guest = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(guest);
  const { page } = guest;
  await page.goto(link);
  await fillAccount(page, "gost", "a phrase of one's own");
  await page.getByRole("button", { name: "Создать аккаунт" }).click();
  await acceptCharter(page, PATIENCE);
  await page.getByRole("button", { name: "Создать конфиг" }).first().click(PATIENCE);
  const dialog = page.getByRole("dialog");
  await dialog.getByText("YouTube").waitFor(PATIENCE);
  expect(await dialog.getByText("Весь трафик").count()).toBe(0);
  await seen(page, "a first device by a template");
  await dialog.getByRole("button", { name: "Создать конфиг" }).click();
  await page.getByText("Ждём первое подключение...").waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden", ...PATIENCE });
});

test("the template's limit applies, and the member's page says where it comes from", async () => {
  await guest.page.getByText("Достигнут лимит конфигураций").first().waitFor(PATIENCE);
  const { page } = admin;
  await page.getByRole("link", { name: "Пользователи" }).click(PATIENCE);
  await page.getByRole("searchbox").first().fill("gost", PATIENCE);
  await page.getByRole("table").getByRole("link", { name: /gost/ }).first().click(PATIENCE);
  await page.getByText("Гости", { exact: true }).waitFor(PATIENCE);
  await seen(page, "a member who joined by a template");
  expect([...admin.problems(), ...guest.problems()]).toEqual([]);
});
