import { beforeAll, expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { focused, tabTo } from "./by-keyboard.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";

/** Staff's daily work without a mouse. When a key press removes a menu or a row, the focus is not lost with it. */
openClub();
let admin: Visitor;
beforeAll(async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  await admin.page.getByRole("link", { name: "Панель управления" }).click();
  await setUpSecondFactor(admin.page);
  await admin.page.getByRole("link", { name: /Марина/ }).waitFor(PATIENCE);
});

/** The focus returns with the next frame. */
const focusIs = (name: string | RegExp) =>
  expect.poll(() => focused(admin.page), PATIENCE)[typeof name === "string" ? "toBe" : "toMatch"](name);
const dialogIsGone = () => admin.page.getByRole("dialog").waitFor({ state: "detached", ...PATIENCE });
const press = (key: string) => admin.page.keyboard.press(key);

/** Follows a link of the area's navigation, like Tab and Enter. */
async function goTo(section: string) {
  await admin.page.getByRole("link", { name: new RegExp(`^${section}`) }).press("Enter", PATIENCE);
  await admin.page.getByRole("heading", { level: 1, name: section }).waitFor(PATIENCE);
  await focusIs(section);
}

/** Opens the focused menu and chooses a line with the arrows. */
async function choose(line: string) {
  const { page } = admin;
  await press("Enter");
  const inMenu = "document.activeElement?.closest('[role=menu]') !== null";
  await expect.poll(() => page.evaluate(inMenu), PATIENCE).toBe(true);
  for (let n = 0; n < 20 && (await focused(page)) !== line; n++) await press("ArrowDown");
  await press("Enter");
  await page.getByRole("menu").waitFor({ state: "detached", ...PATIENCE });
}

test("a member is found, extended, blocked and unblocked, and the focus stays at their menu", async () => {
  const { page } = admin;
  await press("Control+k");
  await page.keyboard.type("anton");
  await page.getByRole("option", { name: /Антон/ }).first().waitFor(PATIENCE);
  await press("Enter");
  await page.getByRole("heading", { level: 1, name: "Антон" }).waitFor(PATIENCE);
  const MENU = "Действия: Антон";

  await tabTo(page, MENU);
  await choose("Продлить подписку");
  await focusIs("Отмена");
  await tabTo(page, "Продлить");
  await press("Enter");
  await dialogIsGone();
  await focusIs(MENU);

  await choose("Заблокировать");
  await focusIs("Отмена");
  await press("Escape");
  await dialogIsGone();
  await focusIs(MENU);

  await choose("Заблокировать");
  await tabTo(page, "Заблокировать");
  await press("Enter");
  await dialogIsGone();
  await focusIs(MENU);
  await choose("Разблокировать");
  await page.getByText("Заблокирован", { exact: true }).waitFor({ state: "detached", ...PATIENCE });
  await focusIs(MENU);
});

test("several are extended at once; afterwards the focus is in their bar, ready for the next ones", async () => {
  const { page } = admin;
  await goTo("Пользователи");
  for (const name of ["Антон", "Вера"]) {
    await tabTo(page, `Выбрать: ${name}`);
    await press("Space");
  }
  await tabTo(page, "Продлить подписку", "Shift+Tab");
  await press("Enter");
  await focusIs("Отмена");
  await tabTo(page, "Продлить");
  await press("Enter");
  await dialogIsGone();
  await focusIs(/^Отметьте строки/);

  await tabTo(page, "Выбрать: Антон");
  await press("Space");
  await tabTo(page, "Снять выбор", "Shift+Tab");
  await press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
});

test("a confirmed payment keeps the focus in its own row, where another press does nothing", async () => {
  const { page } = admin;
  await goTo("Платежи");
  await tabTo(page, "Подтвердить оплату: Тимур");
  await press("Enter");
  await page
    .getByRole("button", { name: "Подтвердить оплату: Тимур" })
    .first()
    .waitFor({ state: "detached", ...PATIENCE });
  await focusIs("Оплата подтверждена: Тимур");
});

test("a declined payment keeps the focus in its own row too", async () => {
  const { page } = admin;
  const DECLINE = "Отклонить: Екатерина Руднева";
  await tabTo(page, DECLINE);
  await press("Enter");
  await focusIs("Что ответить");
  await press("Escape");
  await dialogIsGone();
  await focusIs(DECLINE);
  await press("Enter");
  await focusIs("Что ответить");
  await page.keyboard.type("Перевода нет");
  await tabTo(page, "Отклонить");
  await press("Enter");
  await page.getByRole("button", { name: DECLINE }).waitFor({ state: "detached", ...PATIENCE });
  await focusIs("Отклонено: Екатерина Руднева");
});

test("an invitation is created: the dialog starts in its first field and focuses the missing one", async () => {
  const { page } = admin;
  await goTo("Инвайт-коды");
  await tabTo(page, "Создать код");
  await press("Enter");
  await focusIs("На срок");
  await tabTo(page, "Создать код");
  await press("Enter");
  await page.getByRole("checkbox", { name: /Interface 1/ }).waitFor(PATIENCE);
  await focusIs(/Interface 1/);
  await press("Space");
  await tabTo(page, "Создать код");
  await press("Enter");
  await page.getByRole("dialog", { name: "Код создан" }).waitFor(PATIENCE);
  await focusIs("Скопировать код");
  await press("Escape");
  await dialogIsGone();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

test("a ticket is taken, answered and closed, and the focus stays in it", async () => {
  const { page } = admin;
  await page.getByRole("link", { name: /^Поддержка/ }).press("Enter", PATIENCE);
  await focusIs("Поддержка");
  await tabTo(page, /^Чаты/);
  await press("ArrowRight");
  await focusIs(/^Обращения/);
  await tabTo(page, /^Обрывается видео на даче/);
  await press("Enter");
  await focusIs("Марина");
  await tabTo(page, "Взять в работу");
  await press("Enter");
  await focusIs("Кто ведёт");
  await tabTo(page, "Сообщение");
  await page.keyboard.type("Что показывает проверка устройства?");
  await press("Enter");
  await page.getByRole("log").getByText("Что показывает проверка устройства?").waitFor(PATIENCE);
  await focusIs("Сообщение");
  await tabTo(page, "Закрыть обращение", "Shift+Tab");
  await press("Enter");
  await focusIs("Отмена");
  await tabTo(page, "Закрыть обращение");
  await press("Enter");
  await dialogIsGone();
  await expect.poll(() => page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
});

test("a refused field still shows where the focus is", async () => {
  const { page } = admin;
  await goTo("Пользователи");
  await tabTo(page, "Добавить");
  await press("Enter");
  await focusIs("Логин");
  await press("Enter");
  const field = page.getByLabel("Логин", { exact: true });
  await expect.poll(() => field.getAttribute("aria-invalid"), PATIENCE).toBe("true");
  const ring = () => field.evaluate((element) => getComputedStyle(element).boxShadow);
  const withFocus = await ring();
  await press("Tab");
  expect(await ring()).not.toBe(withFocus);
  await press("Escape");
  expect(admin.problems()).toEqual([]);
});
