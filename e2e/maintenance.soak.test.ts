import { expect, onTestFinished, test } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, expectGuest, PATIENCE, sendSignIn } from "./enter.ts";
import { seen } from "./seen.ts";

/** Maintenance as members see it, on a phone: it replaces the page by itself, the sign-in says why, and everything returns by itself. */
const WORDS = "Система находится на техническом обслуживании. Попробуйте позже.";

let marina: Visitor;
openClub();

async function guest(): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  expectGuest(visitor);
  // During maintenance not even the session's state is reported.
  visitor.expectProblem(/auth\/me.*503|503 \(Service Unavailable\).*auth\/me/);
  return visitor;
}

test("the maintenance page replaces a running session by itself", async () => {
  marina = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(marina, "marina", "Марина");
  const { page } = marina;
  await page.getByRole("article", { name: "iphone-marina" }).waitFor(PATIENCE);
  marina.expectProblem(/503/);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await club.setMaintenance(true);
  await page.getByRole("heading", { name: "Технические работы" }).waitFor(PATIENCE);
  await page.getByText(WORDS).waitFor(PATIENCE);
  await seen(page, "maintenance");
  expect(await page.evaluate(() => localStorage.getItem("maintenanceMode"))).toBe("true");
});

test("the sign-in shows a banner, and refuses a member with its text", async () => {
  const visitor = await guest();
  const { page } = visitor;
  await page.goto("/login");
  await page.getByText(WORDS).waitFor(PATIENCE);
  await seen(page, "sign-in under maintenance");
  await sendSignIn(page, "marina");
  await page.getByRole("alert").getByText(WORDS).waitFor(PATIENCE);
  expect(new URL(page.url()).pathname).toBe("/login");
  await seen(page, "a member refused");
  expect(visitor.problems()).toEqual([]);
});

test("whatever the page believes, the server refuses the member too", async () => {
  const { page } = await guest();
  await page.goto("/");
  const body = { username: "marina", password: "sample-club-2026" };
  const answer = await page.request.post("/api/auth/login", { data: body, headers: { "accept-language": "ru" } });
  expect([answer.status(), (await answer.json()).error.message]).toEqual([503, WORDS]);
});

test("registration is closed and says so, with a link back to the sign-in", async () => {
  const visitor = await guest();
  const { page } = visitor;
  await page.goto("/register");
  await page.getByRole("heading", { name: "Регистрация недоступна" }).waitFor(PATIENCE);
  await seen(page, "registration closed");
  await page.getByRole("link", { name: "Вернуться ко входу" }).tap();
  await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
  expect(visitor.problems()).toEqual([]);
});

test("staff sign in and work", async () => {
  const visitor = await guest();
  await enter(visitor, "moderator", "Модератор");
  await visitor.page.getByText("Пока ни одного устройства").waitFor(PATIENCE);
  expect(visitor.problems()).toEqual([]);
});

test("when it is over the page returns by itself, without a reload", async () => {
  const { page } = marina;
  await club.setMaintenance(false);
  await page.getByRole("article", { name: "iphone-marina" }).waitFor(PATIENCE);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
  expect(await page.evaluate(() => localStorage.getItem("maintenanceMode"))).toBeNull();
  await seen(page, "the dashboard again");
  expect(marina.problems()).toEqual([]);
});
