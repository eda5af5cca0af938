import type { Page } from "playwright-core";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { setUpSecondFactor } from "./enter-staff.ts";

/** An open page while the connection, or the file that it needs next, is missing. */

openClub();

const CRASHED = "Страница не открылась";
const NO_CONNECTION = "Нет связи. Откроется, как только она появится.";

/** Waits until the browser has fetched these files, and everything fetched with them. */
async function fetchedAhead(page: Page, ...files: RegExp[]): Promise<void> {
  for (const file of files)
    await page.waitForFunction(
      (name) => performance.getEntriesByType("resource").some((entry) => new RegExp(name).test(entry.name)),
      file.source,
      PATIENCE,
    );
  await page.waitForLoadState("networkidle");
}

/** The style sheets that the page asked for and did not get: only their rules tell. */
const stylesMissing = (page: Page) =>
  page.locator("link[rel=stylesheet]").evaluateAll((links) =>
    links.flatMap((link) => {
      try {
        return (link as HTMLLinkElement).sheet?.cssRules.length ? [] : [link.getAttribute("href")];
      } catch {
        return [link.getAttribute("href")];
      }
    }),
  );

async function signedIn(screen: "phone" | "desktop", username: string, name: string): Promise<Visitor> {
  const visitor = await visit(browser, { screen, baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  await enter(visitor, username, name);
  visitor.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch|404/);
  return visitor;
}

test("a dialog whose code cannot load leaves the page usable, says why, and opens by itself", async () => {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/ERR_FAILED|Failed to fetch|health/);
  const lost = (url: URL) => /invite-dialog.*\.(css|js)/.test(url.pathname);
  await visitor.context.route(lost, (route) => route.abort());
  await enter(visitor, "marina", "Марина");
  const { page } = visitor;
  await visitor.context.route("**/api/health", (route) => route.abort());
  await page.getByRole("button", { name: /^Пригласить друзей/ }).click();
  await page.getByText(NO_CONNECTION).waitFor(PATIENCE);
  await page.getByRole("heading", { name: "Здравствуйте, Марина" }).waitFor(PATIENCE);
  expect(await page.getByText(CRASHED).count()).toBe(0);
  await visitor.context.unrouteAll();
  await page.getByRole("dialog", { name: "Пригласить друга" }).waitFor(PATIENCE);
  await vi.waitFor(async () => expect(await stylesMissing(page)).toEqual([]), PATIENCE);
});

test("code that an upgrade replaced makes the page reload once; a dialog says so and leaves the reload to a press", async () => {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/404|Failed to (fetch|load)/);
  const { page, context } = visitor;
  await context.addCookies([{ name: "krug_session", value: await club.signIn("marina"), url: club.url }]);
  const replaced = (url: URL) => /(-stands|settings-dialog).*\.js/.test(url.pathname);
  await context.route(replaced, (route) => route.fulfill({ status: 404, body: "" }));
  let loads = 0;
  page.on("load", () => loads++);
  await page.goto("/dashboard");
  await vi.waitFor(() => expect(loads).toBe(2), PATIENCE);
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByText("Панель обновилась. Обновите страницу, чтобы продолжить.").waitFor(PATIENCE);
  expect(loads).toBe(2);
  const reload = page.getByRole("button", { name: "Обновить", exact: true });
  const word = await reload.locator(".mantine-Button-label").boundingBox();
  expect(word?.width).toBeLessThan((await reload.boundingBox())?.width ?? 0);
  await context.unroute(replaced);
  await reload.click();
  await vi.waitFor(() => expect(loads).toBe(3), PATIENCE);
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("dialog", { name: "Настройки" }).waitFor(PATIENCE);
});

test("offline is reported within a second, a press is reported as not done, and known data stays readable", async () => {
  const visitor = await signedIn("phone", "marina", "Марина");
  const { page, context } = visitor;
  await fetchedAhead(page, /settings-dialog/);
  await context.setOffline(true);
  await page.getByText("Ошибка подключения к API: нет интернета").waitFor({ timeout: 1_000 });
  // Every dialog of the page was prefetched.
  await page.getByRole("button", { name: "Настройки" }).click();
  await page.getByRole("dialog", { name: "Настройки" }).waitFor(PATIENCE);
  await page.keyboard.press("Escape");
  await page
    .getByRole("button", { name: /^Скачать/ })
    .first()
    .click();
  await page.getByText(/Ошибка при скачивании конфигурации/).waitFor(PATIENCE);
  await page.getByRole("button", { name: /^Обновить/ }).click();
  await page.getByText("Ошибка при загрузке конфигураций").first().waitFor(PATIENCE);
  expect(await page.getByText(CRASHED).count()).toBe(0);
  await context.setOffline(false);
  await page
    .getByRole("button", { name: /^Скачать/ })
    .first()
    .waitFor(PATIENCE);
});

test("staff screens open offline once the browser has been idle", async () => {
  const visitor = await visit(browser, { screen: "desktop", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
  const token = await club.signIn("admin");
  await visitor.context.addCookies([{ name: "krug_session", value: token, url: club.url }]);
  const { page, context } = visitor;
  await page.goto("/admin/users");
  await setUpSecondFactor(page);
  await page.getByRole("heading", { name: "Пользователи" }).waitFor(PATIENCE);
  await fetchedAhead(page, /payments-screen/, /invite-codes-screen/);
  await context.setOffline(true);
  const sections = page.getByRole("navigation");
  for (const section of ["Платежи", "Инвайт-коды"]) {
    await sections.getByRole("link", { name: section }).click();
    await page.getByRole("heading", { level: 1, name: section }).waitFor(PATIENCE);
    expect(await page.getByText(CRASHED).count()).toBe(0);
  }
});

test("a language chosen while the network is down is announced, and loads when it is back", async () => {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  const { page } = visitor;
  await page.goto("/login");
  const english = page.getByRole("button", { name: "English" });
  await english.waitFor(PATIENCE);
  await page.waitForLoadState("networkidle");
  await visitor.context.setOffline(true);
  await english.click();
  const told = page.getByText("Нет связи. Язык сменится, как только она появится.");
  await told.waitFor(PATIENCE);
  await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
  await visitor.context.setOffline(false);
  await page.getByRole("heading", { name: "Sign in" }).waitFor(PATIENCE);
  expect(await told.count()).toBe(0);
});
