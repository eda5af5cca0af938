import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, PATIENCE, sendSignIn } from "./enter.ts";
import { setUpSecondFactor, typeCode } from "./enter-staff.ts";
import { seen } from "./seen.ts";

/** Staff at work: an admin on a desktop sets up the second factor and manages members; a moderator on a phone reads. */
let admin: Visitor;
let moderator: Visitor;
openClub();

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });
const act = async (page: Page, name: string, action: string) => {
  await page.getByRole("button", { name: `Действия: ${name}` }).click(PATIENCE);
  await page.getByRole("menuitem", { name: action }).click();
};

let recoveryCodes: string[] = [];

test("an admin comes from the dashboard, sets up the second factor and is in", async () => {
  admin = await visit(browser, { screen: "desktop", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  const { page } = admin;
  await page.getByRole("link", { name: "Панель управления" }).click();
  await page.getByLabel("Цифра 1 из 6").waitFor(PATIENCE);
  await seen(page, "the set-up");
  // A wrong code shows an error and clears nothing.
  admin.expectProblem(/totp.*400|400 \(Bad Request\)/);
  await typeCode(page, "000000");
  await page.getByText("Неверный код подтверждения").waitFor(PATIENCE);
  recoveryCodes = await setUpSecondFactor(page);
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole("heading", { level: 1, name: "Пользователи" }).waitFor(PATIENCE);
  await row(page, "Марина").waitFor(PATIENCE);
  await seen(page, "the list of members");
});

test("the admin adds a member, whose link sets a password and signs in", async () => {
  const { page } = admin;
  await page.getByRole("button", { name: "Добавить" }).click();
  const dialog = page.getByRole("dialog", { name: "Новый участник" });
  await dialog.getByLabel("Логин").fill("boris");
  await dialog.getByLabel("Имя (можно не указывать)").fill("Борис Новый");
  await dialog.getByText("До даты").click();
  await dialog.getByLabel("Действует до конца дня").fill("2099-01-31");
  await dialog.getByRole("button", { name: "Добавить участника" }).click();
  const done = page.getByRole("dialog", { name: "Борис Новый в клубе" });
  const link = new URL((await done.getByLabel("Ссылка", { exact: true }).textContent(PATIENCE)) ?? "");
  await seen(page, "the link");
  await done.getByRole("button", { name: "Готово" }).click();
  await row(page, "Борис Новый").getByText("До 31.01.2099").waitFor(PATIENCE);

  const boris = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(boris);
  await boris.page.goto(link.pathname + link.hash);
  await boris.page.getByLabel("Пароль", { exact: true }).fill("a phrase of one's own");
  await boris.page.getByLabel("Повторите пароль").fill("a phrase of one's own");
  await boris.page.getByRole("button", { name: "Сохранить пароль" }).click();
  await boris.page.getByRole("link", { name: "Войти" }).click(PATIENCE);
  await boris.page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  await sendSignIn(boris.page, "boris", "a phrase of one's own");
  await boris.page.getByRole("dialog", { name: "Устав клуба" }).waitFor(PATIENCE);
  expect(boris.problems()).toEqual([]);
  await boris.context.close();
});

test("the admin creates a config for a member; a preview of the link changes nothing, a press opens the file, once", async () => {
  const { page } = admin;
  await row(page, "Нина Островская").getByRole("link").first().click(PATIENCE);
  await page.getByRole("button", { name: "Создать для участника" }).click(PATIENCE);
  const form = page.getByRole("dialog", { name: "Новый конфиг: Нина Островская" });
  await form.getByLabel("Имя").fill("nina-phone", PATIENCE);
  await form.getByRole("button", { name: "Создать конфиг" }).click();
  const done = page.getByRole("dialog", { name: "nina-phone создан" });
  const link = (await done.getByLabel("Ссылка", { exact: true }).textContent(PATIENCE)) ?? "";
  await seen(page, "a link to a config");
  await done.getByRole("button", { name: "Готово" }).click();
  await page.getByText("Файл ещё не открыт, ссылка действует до").waitFor(PATIENCE);

  // Like a messenger's link preview.
  await page.request.get(link);
  const nina = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(nina);
  const { hash } = new URL(link);
  await nina.page.goto(`/config${hash}`);
  await nina.page.getByRole("button", { name: "Открыть конфиг" }).click(PATIENCE);
  await nina.page.getByRole("heading", { name: "nina-phone" }).waitFor(PATIENCE);
  await seen(nina.page, "the config behind the link");
  const downloading = nina.page.waitForEvent("download");
  await nina.page.getByRole("button", { name: "Скачать файл для WireGuard" }).click();
  expect((await downloading).suggestedFilename()).toBe("nina-phone.conf");

  nina.expectProblem(/open-link.*400|400 \(Bad Request\)/);
  // Nothing is at risk any more. Chromium gives up a reload while the page is still stepping back in its history.
  await nina.page.waitForFunction(() => !history.state?.layers, undefined, PATIENCE);
  await nina.page.reload();
  await nina.page.getByRole("button", { name: "Открыть конфиг" }).click(PATIENCE);
  await nina.page.getByText("Ссылка недействительна или уже использована.").waitFor(PATIENCE);
  expect(nina.problems()).toEqual([]);
  await nina.context.close();
  await page.goBack();
});

test("blocking a member ends the session at once, and unblocking lets the member in again", async () => {
  const { page } = admin;
  const vera = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(vera, "vera", "Вера");
  vera.expectProblem(/401|403/);
  await act(page, "Вера", "Заблокировать");
  await page
    .getByRole("dialog", { name: "Заблокировать: Вера?" })
    .getByRole("button", { name: "Заблокировать" })
    .click();
  await row(page, "Вера").getByText("Заблокирован").waitFor(PATIENCE);
  await vera.page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  // The page already says so, and an answer after the unblocking would let her in.
  const refused = vera.page.waitForResponse((answer) => answer.url().endsWith("/api/auth/login"), PATIENCE);
  await sendSignIn(vera.page, "vera");
  expect((await refused).status()).toBe(403);
  await vera.page.getByText("Ваш аккаунт заблокирован").waitFor(PATIENCE);
  await vera.page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  await act(page, "Вера", "Разблокировать");
  await row(page, "Вера").getByText("Активен").waitFor(PATIENCE);
  await sendSignIn(vera.page, "vera");
  await vera.page.getByRole("heading", { name: "Здравствуйте, Вера" }).waitFor(PATIENCE);
  await vera.context.close();
});

test("when two edit one member at once, the second is notified and keeps the typed changes", async () => {
  const { page } = admin;
  await act(page, "Нина Островская", "Изменить");
  const dialog = page.getByRole("dialog", { name: "Изменить: Нина Островская" });
  await dialog.getByLabel("Сколько конфигов можно создать").fill("8");
  await club.asAdmin("PUT /users/{id}", "/users/nina", { vpnConfigLimit: 5 });
  admin.expectProblem(/users.*409|409 \(Conflict\)/);
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await dialog.getByText("изменил другой сотрудник: Администратор").waitFor(PATIENCE);
  await dialog.getByText("Сколько конфигов можно создать: 5").waitFor(PATIENCE);
  await seen(page, "a change that met another's");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await row(page, "Нина Островская").getByText("2 из 8").waitFor(PATIENCE);
});

test("the address holds the search, and the palette opens a member's page", async () => {
  const { page } = admin;
  await page.getByRole("searchbox").fill("нина");
  await page.waitForURL(/q=/, PATIENCE);
  await expect.poll(() => page.getByRole("row").count()).toBe(2);
  await page.keyboard.press("Control+K");
  const palette = page.getByRole("dialog", { name: "Поиск" });
  await palette.getByRole("combobox").fill("марина");
  await palette.getByRole("option", { name: /Марина/ }).waitFor(PATIENCE);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Марина" }).waitFor(PATIENCE);
  await page.getByText("iphone-marina").waitFor(PATIENCE);
  await page.getByRole("link", { name: "Вера" }).waitFor(PATIENCE);
  await seen(page, "a member's page");
});

test("a note on a member stays for the staff, with a mark in the list, until it is deleted", async () => {
  const { page } = admin;
  await page.getByLabel("Новая заметка").fill("Просила счёт на компанию");
  await page.getByRole("button", { name: "Добавить", exact: true }).click();
  const notes = page.getByRole("region", { name: /Заметки/ });
  await notes.getByText("Просила счёт на компанию").waitFor(PATIENCE);
  await seen(page, "a member's notes");
  await page.getByRole("link", { name: "Пользователи" }).first().click();
  const marina = page.getByRole("row", { name: /Марина/ });
  await marina.getByRole("img", { name: /^1\sзаметка$/ }).waitFor(PATIENCE);
  await marina.getByRole("link").first().click();
  await notes.getByRole("button", { name: "Удалить заметку" }).click(PATIENCE);
  await page.getByRole("dialog").getByRole("button", { name: "Удалить" }).click(PATIENCE);
  await notes.getByText("Просила счёт на компанию").waitFor({ state: "detached", ...PATIENCE });
});

test("the palette finds a device and a setting by name, and opens each", async () => {
  const { page } = admin;
  const look = async (typed: string, option: RegExp) => {
    await page.keyboard.press("Control+K");
    const palette = page.getByRole("dialog", { name: "Поиск" });
    await palette.getByRole("combobox").fill(typed);
    await palette.getByRole("option", { name: option }).waitFor(PATIENCE);
    await page.keyboard.press("Enter");
  };
  await look("iphone-m", /iphone-marina/);
  await page.waitForURL(/\/admin\/configs\?q=10\./, PATIENCE);
  await page.getByText("iphone-marina").first().waitFor(PATIENCE);
  await look("отсрочка", /Отсрочка/);
  const grace = page.getByLabel("Отсрочка после конца подписки, часов");
  await grace.waitFor(PATIENCE);
  await expect.poll(() => grace.evaluate((field) => field === document.activeElement)).toBe(true);
  await seen(page, "a setting that was looked for");
});

test("the next entry asks for a code from the app, and accepts a recovery code", async () => {
  const { page } = admin;
  await page.goto("/admin/2fa");
  await page.getByRole("button", { name: /код восстановления/ }).click(PATIENCE);
  await page.getByLabel("Код восстановления").fill(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await page.getByText(/Осталось 9.кодов восстановления из 10/).waitFor(PATIENCE);
  expect(admin.problems()).toEqual([]);
});

test("a moderator on a phone reads, without VIP members, and can only send a password link", async () => {
  moderator = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(moderator, "moderator", "Модератор");
  const { page } = moderator;
  await page.getByRole("link", { name: "Панель управления" }).tap();
  await setUpSecondFactor(page);
  const list = page.getByRole("list", { name: "Участники клуба" });
  await list.getByText("Марина", { exact: true }).waitFor(PATIENCE);
  expect(await list.getByText("Светлана Подгорная-Черкасова").count()).toBe(0);
  expect(await page.getByRole("button", { name: /^Добавить/ }).count()).toBe(0);
  // In the sample club an admin has switched that on; staff are excluded.
  expect(await page.getByRole("button", { name: "Действия: Администратор" }).count()).toBe(0);
  await page.getByRole("button", { name: "Действия: Марина" }).tap();
  const toSend = page.getByRole("menuitem", { name: "Ссылка для пароля" });
  await toSend.waitFor(PATIENCE);
  expect(await page.getByRole("menuitem").count()).toBe(1);
  await page.keyboard.press("Escape");
  await toSend.waitFor({ state: "detached", ...PATIENCE });
  await seen(page, "the list on a phone");
  await page.getByRole("button", { name: "Открыть разделы" }).tap();
  const sections = page.getByRole("dialog", { name: "Разделы панели управления" });
  await sections.getByRole("link", { name: "Двухфакторная аутентификация" }).waitFor(PATIENCE);
  await seen(page, "the sections on a phone");
  await sections.getByRole("button", { name: "Закрыть" }).tap();
  await list.getByText("Марина", { exact: true }).tap();
  await page.getByRole("heading", { level: 1, name: "Марина" }).waitFor(PATIENCE);
  await page.getByText("Менять данные может администратор.").waitFor(PATIENCE);
  expect(await page.getByRole("button", { name: "Изменить" }).count()).toBe(0);
  await seen(page, "a member's page on a phone");
  // The panel refuses what the screens do not offer.
  expect(
    await page.evaluate(async () => {
      const answer = await fetch("/api/users/marina", {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ isActive: false }),
      });
      return answer.status;
    }),
  ).toBe(403);
});
