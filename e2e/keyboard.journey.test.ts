import { beforeAll, expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { focused, tabTo } from "./by-keyboard.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { expectGuest, PATIENCE } from "./enter.ts";
import { wholeForm } from "./whole-form.ts";

/** The main path without a mouse: from the landing page with a code to a device, and out again. */
openClub();
let friend: Visitor;
beforeAll(async () => {
  friend = await visit(browser, { screen: "desktop", baseURL: club.url });
  expectGuest(friend);
});

test("a press on a later box, or a letter that no code has, continues at the next empty box", async () => {
  const { page } = friend;
  await page.goto("/register");
  await page.getByLabel("Знак 3 из 6").click(PATIENCE);
  expect(await focused(page)).toBe("Знак 1 из 6");
  await page.keyboard.type("ж0k");
  expect(await focused(page)).toBe("Знак 2 из 6");
  expect(friend.problems()).toEqual([]);
});

test("a guest gets in with a code", async () => {
  const { page } = friend;
  const code = await club.inviteCode();
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
  await tabTo(page, "Регистрация по приглашению");
  await page.keyboard.press("Enter");
  await page.getByLabel("Знак 1 из 6").waitFor(PATIENCE);
  await tabTo(page, "Знак 1 из 6");
  await page.keyboard.type(code);
  await page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  await tabTo(page, "Имя пользователя");
  await page.keyboard.type("zinaida");
  await tabTo(page, "Пароль");
  await page.keyboard.type("a phrase of one's own");
  await tabTo(page, "Повторите пароль");
  await page.keyboard.type("a phrase of one's own");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Устав клуба" }).waitFor(PATIENCE);
});

test("she reads the charter and accepts it", async () => {
  const { page } = friend;
  const accept = page.getByRole("button", { name: "Я принимаю правила клуба" });
  await page.getByText("Спасибо, что прочитали устав").waitFor(PATIENCE);
  await page.keyboard.press("End");
  await accept.waitFor(PATIENCE);
  await tabTo(page, "Я принимаю правила клуба");
  await page.keyboard.press("Enter");
  await accept.waitFor({ state: "hidden", ...PATIENCE });
  await page.getByRole("heading", { name: "Здравствуйте, zinaida" }).waitFor(PATIENCE);
});

test("she creates a config for her phone, and the focus survives the button that disappears", async () => {
  const { page } = friend;
  await page.getByText("Пока ни одного устройства").waitFor(PATIENCE);
  await tabTo(page, "Создать конфиг");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await tabTo(page, "Настроить самому");
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Имя", { exact: true }).waitFor(PATIENCE);
  await page.keyboard.type("pixel");
  await tabTo(page, "Компьютер");
  await page.keyboard.press("ArrowLeft");
  await tabTo(page, /^Весь трафик/);
  await page.keyboard.press("Space");
  await tabTo(page, "Создать конфиг");
  await page.keyboard.press("Enter");
  await page.getByRole("img", { name: "QR код конфигурации pixel" }).waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden", ...PATIENCE });
  await page.getByRole("article", { name: "pixel" }).waitFor(PATIENCE);
  // The focus returns with the next frame.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName), { timeout: 5_000 }).not.toBe("BODY");
});

test("Escape over a key that only her browser has asks first, and a second one closes the question", async () => {
  const { page } = friend;
  await page.getByRole("button", { name: "Создать конфиг" }).first().click(PATIENCE);
  await (await wholeForm(page, PATIENCE)).fill("tablet");
  await page.getByRole("checkbox", { name: /^Весь трафик/ }).check();
  await page.getByRole("checkbox", { name: "Ключ создаётся в браузере" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Создать конфиг" }).click();
  await page.getByRole("dialog", { name: "tablet" }).waitFor(PATIENCE);
  const question = page.getByRole("dialog", { name: "Закрыть без файла?" });
  await page.keyboard.press("Escape");
  await question.waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached", ...PATIENCE });
  await page.getByRole("dialog", { name: "tablet" }).waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Закрыть без файла" }).click(PATIENCE);
  await page.getByRole("article", { name: "tablet" }).waitFor(PATIENCE);
});

/** The focus moves with the next frame. */
const focusIs = (name: string | RegExp) =>
  expect.poll(() => focused(friend.page), { timeout: 10_000 })[typeof name === "string" ? "toBe" : "toMatch"](name);

test("she writes to support and opens a ticket, and returns to the page where she was", async () => {
  const { page } = friend;
  await tabTo(page, "Поддержка");
  await page.keyboard.press("Enter");
  await focusIs("Сообщение");
  await page.keyboard.type("Добрый вечер!");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText("Добрый вечер!").waitFor(PATIENCE);
  await tabTo(page, "Чат", "Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await focusIs("Обращения");
  await tabTo(page, "Создать обращение");
  await page.keyboard.press("Enter");
  await focusIs("Тема");
  await page.keyboard.press("Enter");
  await page.getByText("Напишите тему").waitFor(PATIENCE);
  await focusIs("Тема");
  await page.keyboard.type("Медленно вечером");
  await tabTo(page, "Что случилось");
  await page.keyboard.type("После восьми видео встаёт.");
  await tabTo(page, "Отправить");
  await page.keyboard.press("Enter");
  await focusIs("Медленно вечером");
  await tabTo(page, "К списку обращений", "Shift+Tab");
  await page.keyboard.press("Enter");
  await focusIs(/^Медленно вечером/);
  await tabTo(page, "Создать обращение");
  await page.keyboard.press("Enter");
  await focusIs("Тема");
  await tabTo(page, "Отмена");
  await page.keyboard.press("Enter");
  await focusIs("Создать обращение");
  await page.keyboard.press("Escape");
  await focusIs("Поддержка");
});

test("she changes her password: a wrong one returns the focus to its field", async () => {
  const { page } = friend;
  await tabTo(page, "Настройки");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Настройки" }).waitFor(PATIENCE);
  friend.expectProblem(/change-password.*40\d|40\d.*change-password/);
  for (const [field, text] of [
    ["Текущий пароль", "not this one"],
    ["Новый пароль", "another phrase of hers"],
    ["Повторите новый пароль", "another phrase of hers"],
  ] as const) {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await focusIs("Текущий пароль");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("a phrase of one's own");
  await page.keyboard.press("Enter");
  await page.getByText("Пароль изменён. Другие входы завершены.").waitFor(PATIENCE);
  await page.getByRole("dialog").waitFor({ state: "hidden", ...PATIENCE });
  await focusIs("Настройки");
});

test("she deletes her phone's config, restores it, and signs out", async () => {
  const { page } = friend;
  await tabTo(page, "Удалить: pixel");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Удалить pixel?" });
  await question.waitFor(PATIENCE);
  await tabTo(page, "Отмена");
  await tabTo(page, "Удалить");
  await page.keyboard.press("Enter");
  await page.getByText("Конфигурация удалена").first().waitFor(PATIENCE);
  await tabTo(page, /^Вернуть/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "QR-код: pixel" }).waitFor(PATIENCE);
  await tabTo(page, "Выйти");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
  expect(friend.problems()).toEqual([]);
});
