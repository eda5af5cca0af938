import { expect, onTestFinished, test } from "vitest";
import { visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, PATIENCE } from "./enter.ts";

/** A phone's Back closes what lies over the page, not the page, and drafts are saved. */

openClub();

const newPhone = async () => {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  return visitor;
};

test("a sheet is closed by Back, and offers its half-filled form again", async () => {
  const visitor = await newPhone();
  await enter(visitor, "marina", "Марина");
  const { page } = visitor;
  const create = page.getByRole("button", { name: "Создать конфиг" });
  const sheet = page.getByRole("dialog", { name: "Создание VPN конфига" });
  const name = sheet.getByRole("textbox").first();
  await create.click(PATIENCE);
  await sheet.getByRole("button", { name: "Настроить самому" }).click(PATIENCE);
  await name.fill("half-typed", PATIENCE);
  await page.goBack();
  await sheet.waitFor({ ...PATIENCE, state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await create.click();
  await sheet.getByRole("button", { name: "Продолжить начатое" }).click(PATIENCE);
  expect(await name.inputValue(PATIENCE)).toBe("half-typed");
  // The focus is in the first field, not on the close button.
  await page.waitForFunction(() => document.activeElement?.tagName === "INPUT", undefined, PATIENCE);
  await sheet.getByRole("button", { name: "Закрыть" }).click();
  await sheet.waitFor({ ...PATIENCE, state: "hidden" });
  // If two sheets are open the upper one closes first, and a sheet that replaces another closes with it.
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("dialog", { name: "Настройки" }).waitFor(PATIENCE);
  await page.goBack();
  await page.getByRole("dialog").waitFor({ ...PATIENCE, state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  // Nothing of the sheets is left in the history: the next Back leaves the page.
  await page.goBack();
  await page.waitForURL((url) => url.pathname !== "/dashboard", PATIENCE);
  expect(visitor.problems()).toEqual([]);
});

test("Back from a ticket's form leads to the list of tickets, and the draft is back afterwards", async () => {
  const visitor = await newPhone();
  await enter(visitor, "marina", "Марина");
  const { page } = visitor;
  await page.getByRole("button", { name: /^Поддержка/ }).click(PATIENCE);
  const widget = page.getByRole("dialog", { name: "Поддержка" });
  await widget.getByText(/^Обращения/).click(PATIENCE);
  const create = widget.getByRole("button", { name: "Создать обращение" });
  await create.click(PATIENCE);
  await widget.getByLabel("Тема").fill("Нет звука", PATIENCE);
  await page.goBack();
  await create.click(PATIENCE);
  expect(await widget.getByLabel("Тема").inputValue(PATIENCE)).toBe("Нет звука");
  await page.goBack();
  // The same from a ticket's own messages.
  await widget.getByRole("button", { name: /Обрывается видео/ }).click(PATIENCE);
  await widget.getByRole("heading", { name: /Обрывается видео/ }).waitFor(PATIENCE);
  await page.goBack();
  await create.waitFor(PATIENCE);
  await page.goBack();
  await widget.waitFor({ ...PATIENCE, state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  expect(visitor.problems()).toEqual([]);
});

test("Back over a changed form asks, and the input stays until it is discarded", async () => {
  const visitor = await newPhone();
  await enter(visitor, "marina", "Марина");
  const { page } = visitor;
  await page
    .getByRole("button", { name: /^Изменить: / })
    .first()
    .click(PATIENCE);
  const form = page.getByRole("dialog", { name: /^Изменить / });
  const name = form.getByLabel("Имя", { exact: true });
  await name.fill("renamed", PATIENCE);
  const question = page.getByRole("dialog", { name: "Закрыть без сохранения?" });
  await page.goBack();
  await question.waitFor(PATIENCE);
  // Back over the question means: stay.
  await page.goBack();
  await question.waitFor({ ...PATIENCE, state: "hidden" });
  expect(await name.inputValue(PATIENCE)).toBe("renamed");
  await page.goBack();
  await question.getByRole("button", { name: "Не сохранять" }).click(PATIENCE);
  await form.waitFor({ ...PATIENCE, state: "hidden" });
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  expect(visitor.problems()).toEqual([]);
});

test("a reload over an open sheet leaves nothing behind: one Back leaves the page", async () => {
  const visitor = await newPhone();
  await enter(visitor, "marina", "Марина");
  const { page } = visitor;
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("dialog", { name: "Настройки" }).waitFor(PATIENCE);
  await page.waitForFunction(() => history.state?.layers === 1, undefined, PATIENCE);
  await page.reload();
  await page.getByRole("article").first().waitFor(PATIENCE);
  await page.waitForFunction(() => !history.state?.layers, undefined, PATIENCE);
  await page.goBack();
  await page.waitForURL((url) => url.pathname !== "/dashboard", PATIENCE);
  expect(visitor.problems()).toEqual([]);
});

test("Back from the account step of the registration leads to the code, and the name stays", async () => {
  const visitor = await newPhone();
  expectGuest(visitor);
  const { page } = visitor;
  await page.goto("/register");
  await page.getByLabel("Знак 1 из 6").click(PATIENCE);
  await page.keyboard.type(await club.inviteCode());
  await page.getByLabel("Имя пользователя").fill("zinaida", PATIENCE);
  await page.goBack();
  await page.getByLabel("Знак 1 из 6").waitFor(PATIENCE);
  await page.getByRole("button", { name: "Продолжить с этим кодом" }).click(PATIENCE);
  await page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  expect(await page.getByLabel("Имя пользователя").inputValue()).toBe("zinaida");
  expect(visitor.problems()).toEqual([]);
});

test("a card's buttons stay where they are while a file downloads", async () => {
  const visitor = await newPhone();
  const { page } = visitor;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/download", async (route) => {
    await held;
    await route.continue();
  });
  await enter(visitor, "marina", "Марина");
  const card = page.getByRole("article", { name: "iphone-marina" });
  await card.getByRole("button", { name: /^Показать таблицей/ }).waitFor(PATIENCE);
  const places = () =>
    card.evaluate((element) => {
      const { left, top } = element.getBoundingClientRect();
      return [...element.querySelectorAll("button")].map((button) => {
        const box = button.getBoundingClientRect();
        return [button.ariaLabel, box.left - left, box.top - top, box.width].join();
      });
    });
  const before = await places();
  await card.getByRole("button", { name: /^Скачать/ }).click();
  await card.locator("[data-busy]").waitFor(PATIENCE);
  expect(await places()).toEqual(before);
  const downloading = page.waitForEvent("download");
  answer();
  await downloading;
});

test("a second press at the same spot does nothing in the sheet that the first one opened", async () => {
  const visitor = await newPhone();
  await enter(visitor, "marina", "Марина");
  const { page } = visitor;
  await page.getByRole("button", { name: "Создать конфиг" }).click(PATIENCE);
  const button = page.getByRole("dialog").getByRole("button", { name: "Создать конфиг" });
  await button.click({ ...PATIENCE, trial: true });
  const box = await button.boundingBox();
  if (!box) throw new Error("the button is not there");
  /** What a finger there would press, with the sheet's footer as it has just appeared, and later. */
  const pressed = await button.evaluate(
    (element, [x, y]) => {
      const under = () => element.contains(document.elementFromPoint(x, y));
      const footer = element.parentElement as HTMLElement;
      footer.style.animation = "none";
      const later = under();
      footer.style.animation = "";
      for (const running of footer.getAnimations()) running.pause();
      return { atOnce: under(), later };
    },
    [box.x + box.width / 2, box.y + box.height / 2] as const,
  );
  expect(pressed).toEqual({ atOnce: false, later: true });
});
