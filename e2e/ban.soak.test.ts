import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { expectGuest, PATIENCE } from "./enter.ts";
import { seen } from "./seen.ts";

/** A guest mistypes the code until the panel makes them wait; then the wait ends and the right code lets them in. */
const BAN_MS = 5 * 60_000;
/** Characters a code may have, in an order that no code of this club has. */
const WRONG = ["ZZZZZZ", "YYYYYY", "XXXXXX", "WWWWWW", "VVVVVV"];

openClub();
let guest: Visitor;
let code = "";
beforeAll(async () => {
  code = await club.inviteCode();
  guest = await visit(browser, { screen: "phone", baseURL: club.url });
  expectGuest(guest);
  guest.expectProblem(/check-invite.*4\d\d|4\d\d .*check-invite/);
  // The page's and the panel's clocks move together to the end of the wait.
  await guest.page.clock.install();
});

const sent: string[] = [];
const countSent = (page: Page) =>
  page.on("request", (request) => {
    if (request.url().endsWith("/auth/check-invite")) sent.push(request.postDataJSON().code);
  });

async function type(page: Page, signs: string) {
  await page.getByLabel("Знак 1 из 6").click(PATIENCE);
  await page.keyboard.type(signs);
}

test("four wrong codes are refused one by one, and the fifth starts the wait", async () => {
  const { page } = guest;
  countSent(page);
  await page.goto("/register");
  for (const wrong of WRONG.slice(0, 4)) {
    await type(page, wrong);
    await expect.poll(() => sent.at(-1), PATIENCE).toBe(wrong);
    await page.getByText("Неверный код приглашения").waitFor(PATIENCE);
  }
  await type(page, WRONG[4] ?? "");
  await page.getByText("Было пять неверных кодов подряд", { exact: false }).waitFor(PATIENCE);
  await seen(page, "the wait");
  expect(sent).toEqual(WRONG);
});

const secondsLeft = async (page: Page) =>
  Number(/Попробуйте через (\d+) секунд/.exec((await page.getByRole("timer").textContent()) ?? "")?.[1]);

test("the seconds count down, and no code is sent meanwhile", async () => {
  const { page } = guest;
  const first = await secondsLeft(page);
  expect(first).toBeGreaterThan(200);
  expect(first).toBeLessThanOrEqual(300);
  await expect.poll(() => secondsLeft(page), PATIENCE).toBeLessThan(first);
  expect(await page.getByLabel("Знак 1 из 6").isDisabled()).toBe(true);
  await page.keyboard.type(code);
  await page.waitForTimeout(500);
  expect(sent).toEqual(WRONG);
});

test("a second tab and a reload wait as well; the server refuses even the right code", async () => {
  const tab = await guest.context.newPage();
  await tab.goto("/register");
  await tab.getByText("Было пять неверных кодов подряд", { exact: false }).waitFor(PATIENCE);
  const answer = await tab.request.post("/api/auth/check-invite", { data: { code } });
  expect([answer.status(), (await answer.json()).error.code]).toEqual([429, "invite.banned"]);
  await tab.close();
  await guest.page.reload();
  await guest.page.getByRole("timer").waitFor(PATIENCE);
});

test("after the wait the boxes return by themselves, and the right code works", async () => {
  const { page } = guest;
  await club.ageWrongCodes(BAN_MS);
  // The page follows the panel's clock.
  await page.route("**/api/**", async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    await route.fulfill({
      response,
      headers: { ...headers, "x-club-time": `${Number(headers["x-club-time"]) + BAN_MS}` },
    });
  });
  await page.clock.fastForward(BAN_MS);
  await page.getByRole("timer").waitFor({ state: "hidden", ...PATIENCE });
  await type(page, code.toLowerCase());
  await page.getByText("Код приглашения принят!").waitFor(PATIENCE);
  await page.getByLabel("Имя пользователя").waitFor(PATIENCE);
  expect(sent).toEqual([...WRONG, code]);
  await seen(page, "account after the wait");
  expect(guest.problems()).toEqual([]);
});
