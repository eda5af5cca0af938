import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, vi } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club } from "./club-in-browser.ts";
import { PATIENCE } from "./enter.ts";
import { type Gateway, openGateway } from "./gateway.ts";

/** The dashboard that opens without a connection (ADR 47): a club, a browser with its worker, and a gateway between the two. */

export const MARK = /^Данные на \d\d:\d\d, нет связи$/;
export const COPY = "caches.match('/dashboard', { cacheName: 'krug.own.2' })";

export async function visitWithWorker(baseURL = club.url): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "phone", baseURL, worker: true });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_EMPTY|ERR_CONNECTION|Failed to fetch|auth\/me|50\d/);
  return visitor;
}

/** Asks the page until it gives this answer. */
export const becomes = (page: Page, question: string, answer: unknown) =>
  vi.waitFor(async () => expect(await page.evaluate(question)).toEqual(answer), PATIENCE);

export const isWiped = (page: Page) => becomes(page, `${COPY}.then(Boolean)`, false);

/** Waits until the next opening could work without a connection. */
async function isKept(page: Page) {
  await becomes(page, `${COPY}.then(Boolean)`, true);
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
}

export async function openAs(username: string, name: string, baseURL = club.url) {
  const visitor = await visitWithWorker(baseURL);
  await visitor.context.addCookies([{ name: "krug_session", value: await club.signIn(username), url: baseURL }]);
  await visitor.page.goto("/dashboard");
  await greeting(visitor.page, name);
  await isKept(visitor.page);
  return visitor;
}

export const greeting = (page: Page, name: string) =>
  page.getByRole("heading", { name: `Здравствуйте, ${name}` }).waitFor(PATIENCE);

/** Like somebody who leaves the application and comes back. */
export async function reopened(context: BrowserContext, path = "/dashboard"): Promise<Page> {
  await Promise.all(context.pages().map((page) => page.close()));
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

export const copyIn = (page: Page) => page.evaluate<string | null>(`${COPY}.then((copy) => copy ? copy.text() : null)`);

/** In front of this test's club, until the test ends. */
export async function startGateway(): Promise<Gateway> {
  const gateway = await openGateway(club.url);
  onTestFinished(gateway.close);
  return gateway;
}

/** Opens the cached page while the panel is down. */
export async function openedWhileDown(gateway: Gateway): Promise<Page> {
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "down";
  const page = await reopened(context);
  await page.getByText(MARK).waitFor(PATIENCE);
  return page;
}

/** Expects that after an upgrade the next opening shows the new page, offline too. */
export async function expectUpgrade(worker: Gateway["worker"]): Promise<void> {
  const gateway = await startGateway();
  gateway.worker = worker;
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "upgraded";
  // Longer than the page waits before it asks the worker to take over.
  gateway.installTakesMs = 5_000;
  const shells = "caches.keys().then((names) => names.filter((name) => name.startsWith('krug.shell.')))";
  const page = await reopened(context);
  await greeting(page, "Марина");
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
  await becomes(page, shells, ["krug.shell.next"]);
  await context.setOffline(true);
  const later = await reopened(context);
  await later.getByText(MARK).waitFor(PATIENCE);
  expect(await later.locator('meta[name="build"]').count()).toBe(1);
}
