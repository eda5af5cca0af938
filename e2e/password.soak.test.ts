import { beforeAll, expect, test } from "vitest";
import { SAMPLE_PASSWORD } from "../apps/server/testing/sample-club.ts";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE, sendSignIn } from "./enter.ts";
import { seen } from "./seen.ts";

/** A member changes her password on her desktop. Her phone is signed out, then signs in again and returns to where it was. */
const FRESH = "a phrase of one's own";

openClub();
let desk: Visitor;
let phone: Visitor;
beforeAll(async () => {
  desk = await visit(browser, { screen: "desktop", baseURL: club.url });
  phone = await visit(browser, { screen: "phone", baseURL: club.url });
  await enter(desk, "marina", "Марина");
  await enter(phone, "marina", "Марина");
  phone.expectProblem(/401/);
});

test("the dialog says that other sessions have ended, and closes by itself", async () => {
  const { page } = desk;
  await page.getByRole("button", { name: "Настройки" }).click();
  const dialog = page.getByRole("dialog", { name: "Настройки" });
  await dialog.getByLabel("Текущий пароль", { exact: true }).fill(SAMPLE_PASSWORD, PATIENCE);
  await dialog.getByLabel("Новый пароль", { exact: true }).fill(FRESH);
  await dialog.getByLabel("Повторите новый пароль", { exact: true }).fill(FRESH);
  await dialog.getByRole("button", { name: "Сменить пароль" }).click();
  await dialog.getByText("Пароль изменён. Другие входы завершены.").waitFor(PATIENCE);
  await dialog.waitFor({ state: "hidden", ...PATIENCE });
  await page.reload();
  await page.getByRole("heading", { name: "Здравствуйте, Марина" }).waitFor(PATIENCE);
  expect(desk.problems()).toEqual([]);
});

test("the other browser goes to the sign-in by itself; the old password no longer works", async () => {
  const { page } = phone;
  await page.waitForURL("**/login?to=%2Fdashboard", PATIENCE);
  await sendSignIn(page, "marina");
  await page.getByRole("alert").getByText("Неверное имя пользователя или пароль.").waitFor(PATIENCE);
  await seen(page, "the old password refused");
});

test("the new password brings it back to where it was", async () => {
  const { page } = phone;
  await sendSignIn(page, "marina", FRESH);
  await page.getByRole("heading", { name: "Здравствуйте, Марина" }).waitFor(PATIENCE);
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await page.getByRole("article", { name: "iphone-marina" }).waitFor(PATIENCE);
  expect(phone.problems()).toEqual([]);
});
