import { Secret, TOTP } from "otpauth";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { SAMPLE_PASSWORD } from "../apps/server/testing/sample-club.ts";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, PATIENCE } from "./enter.ts";
import { typeCode } from "./enter-staff.ts";
import { fillEvening } from "./evening-club.ts";
import { seen } from "./seen.ts";

/**
 * The clean-room trial: an operator with a phone, 2,000 members, 300 claims of one evening, of which 40 need a decision, and two
 * banks' lists. Each press is counted: taps, focus of a field, 'Paste' in the phone's menu. Letters typed into a field are not.
 */
const MOST_PRESSES = 60;
const PHONE = { width: 360, height: 740 };
openClub();

const presses: string[] = [];
const press = (target: Locator, what: string) => {
  presses.push(what);
  return target.tap(PATIENCE);
};
const paste = async (page: Page, field: Locator, text: string, what: string) => {
  await press(field, `${what}: the field`);
  presses.push(`${what}: paste`);
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("ControlOrMeta+V");
};

let secret = "";
let used = "";
const newCode = async () => {
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await expect.poll(code, { timeout: 60_000 }).not.toBe(used);
  return code();
};

test("the second factor is set up beforehand", async () => {
  const admin = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(admin, "admin", "Администратор");
  await admin.page.goto("/admin");
  const dialog = admin.page.getByRole("dialog", { name: "Двухфакторная аутентификация" });
  secret = ((await dialog.getByRole("code").textContent(PATIENCE)) ?? "").replace(/\s/g, "");
  used = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await typeCode(admin.page, used);
  await admin.page.getByRole("button", { name: "Коды сохранены, продолжить" }).click(PATIENCE);
  await admin.page.getByRole("heading", { level: 1 }).first().waitFor(PATIENCE);
  await admin.context.close();
});

test(`300 payments of an evening are decided on a phone in at most ${MOST_PRESSES} presses`, async () => {
  const evening = await fillEvening(club);
  const operator: Visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(operator);
  const { page } = operator;
  await page.setViewportSize(PHONE);
  await operator.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: club.url });

  // Where the installed app begins for staff on a phone (ADR 172).
  await page.goto("/admin/pulse");
  await press(page.getByLabel("Имя пользователя"), "name");
  await page.keyboard.type("admin");
  await press(page.getByLabel("Пароль", { exact: true }), "password");
  await page.keyboard.type(SAMPLE_PASSWORD);
  await press(page.getByRole("button", { name: "Войти" }), "sign in");
  await page.getByLabel("Цифра 1 из 6").waitFor(PATIENCE);
  const code = await newCode();
  await press(page.getByLabel("Цифра 1 из 6"), "code");
  await page.keyboard.type(code);

  await press(page.getByRole("link", { name: "Разобрать" }), "claims wait");
  await press(page.getByRole("button", { name: "Подтвердить несколько" }), "several");
  const dialog = page.getByRole("dialog", { name: "Подтвердить оплаты" });
  const field = dialog.getByLabel("Выписка банка (необязательно)");
  await paste(page, field, evening.statement, "the first bank");
  await dialog.getByText(/Нашлось: 230/).waitFor(PATIENCE);
  await paste(page, field, `\n${evening.elsewhere}`, "the second bank");
  await dialog.getByText(/Нашлось: 26/).waitFor(PATIENCE);
  await seen(page, "an evening's claims and two banks' lists");

  const group = (name: RegExp) => dialog.getByRole("checkbox", { name });
  const choose = (username: string) => press(group(new RegExp(`\\(${username}\\)`)), `choose ${username}`);
  const confirm = async (count: number) => {
    await press(dialog.getByRole("button", { name: /^Подтвердить: / }), `confirm ${count}`);
    await dialog.getByText(new RegExp(`^Подтверждено: ${count}\\s`)).waitFor({ timeout: 200_000 });
  };
  const toRest = (count: number) => press(dialog.getByRole("button", { name: `Остались: ${count}` }), "the rest");
  const decline = async (reason: string, count: number) => {
    await press(dialog.getByRole("button", { name: `Отклонить: ${count}` }), `decline ${count}`);
    await press(dialog.getByLabel("Что ответить"), "the answer");
    await page.keyboard.type(reason);
    await press(dialog.getByRole("button", { name: `Отклонить: ${count}` }), "decline");
    await dialog.getByText(new RegExp(`^Отклонено: ${count}\\s`)).waitFor({ timeout: 60_000 });
  };
  await confirm(264);
  await seen(page, "an evening's claims: confirmed");
  await toRest(36);

  for (const username of evening.usernames("both namesakes")) await choose(username);
  // Whose transfer it was is on the receipts.
  const twins = evening.usernames("one of two namesakes");
  for (const [place, username] of twins.entries()) {
    const name = evening.nameOf(username);
    await press(dialog.getByRole("button", { name: `Чек: ${name}` }).nth(place % 2), `receipt of ${username}`);
    const receipt = page.getByRole("dialog", { name: `Чек: ${name}` });
    await receipt.getByRole("img", { name: /Чек, который/ }).waitFor(PATIENCE);
    await press(receipt.getByRole("button", { name: "Закрыть" }), "close the receipt");
    if (place % 2 === 0) await choose(username);
  }
  await seen(page, "an evening's claims: those to look at");
  await confirm(9);
  await toRest(27);

  await press(group(/^Похожи, но/), "another sum: all");
  await decline("Пришла другая сумма, напишите в поддержку", 12);
  await toRest(15);
  await press(group(/^Подходят нескольким/), "namesakes: the others");
  await press(group(/^В выписке их нет/), "missing: all");
  await decline("Перевода пока нет", 15);
  await press(dialog.getByRole("button", { name: "Готово" }), "done");
  const text = () => page.locator("main").innerText();
  await expect.poll(text, { timeout: 60_000 }).toMatch(/Сообщили об оплате\s*0/);

  console.info(`${presses.length} presses: ${presses.join("; ")}`);
  expect(presses.length).toBeLessThanOrEqual(MOST_PRESSES);
  const path = `/admin/payments/history/${new Date().toISOString().slice(0, 7)}?status=paid&limit=1000&q=m`;
  const paid = await club.asAdmin("GET /admin/payments/history/{period}", path);
  const meant = [
    ...evening.usernames("paid", "paid elsewhere", "twice", "both namesakes"),
    ...twins.filter((_, n) => n % 2 === 0),
  ];
  expect(
    paid
      .map(({ username }) => username)
      .filter((username) => /^m\d{4}$/.test(username))
      .sort(),
  ).toEqual(meant.sort());
  expect(operator.problems()).toEqual([]);
}, 600_000);
