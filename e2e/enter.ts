import type { Page } from "playwright-core";
import { SAMPLE_PASSWORD } from "../apps/server/testing/sample-club.ts";
import type { Visitor } from "./browser.ts";

/** Longer than anything takes on a busy machine: it ends what hangs and is not a measurement. */
export const PATIENCE = { timeout: 60_000 };

/** Requests that always fail on a guest's page, because nobody is signed in yet. */
export const expectGuest = (visitor: Visitor) => visitor.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);

/** Fills in and submits the sign-in form of the current page, as one of the sample club's people. */
export async function sendSignIn(page: Page, username: string, password = SAMPLE_PASSWORD): Promise<void> {
  await page.getByLabel("Имя пользователя").fill(username, PATIENCE);
  await page.getByLabel("Пароль", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Войти" }).click();
}

/** Fills in a new account's name and password on the current page. */
export async function fillAccount(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Имя пользователя").fill(username, PATIENCE);
  await page.getByLabel("Пароль", { exact: true }).fill(password);
  await page.getByLabel("Повторите пароль").fill(password);
}

/** Signs in at the entrance and waits for the person's own page. */
export async function enter(visitor: Visitor, username: string, name: string): Promise<void> {
  expectGuest(visitor);
  await visitor.page.goto("/login");
  await sendSignIn(visitor.page, username);
  await visitor.page.getByRole("heading", { name: `Здравствуйте, ${name}` }).waitFor(PATIENCE);
}
