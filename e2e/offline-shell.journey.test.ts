import { expect, onTestFinished, test } from "vitest";
import { visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import {
  becomes,
  COPY,
  copyIn,
  expectUpgrade,
  greeting,
  isWiped,
  MARK,
  openAs,
  reopened,
  startGateway,
} from "./kept-page.ts";

/** The dashboard that opens without a connection (ADR 47), and what the next person sees of it. */
openClub();

test("opened offline, the dashboard shows the last known data and its age, and recovers by itself", async () => {
  const { context, page: first } = await openAs("marina", "Марина");
  const kept = (await copyIn(first)) ?? "";
  expect(Object.keys(JSON.parse(kept).answers).sort()).toEqual([
    "/auth/me",
    "/auth/telegram/status",
    "/vpn/available-interfaces",
    "/vpn/configs",
    "/vpn/traffic",
  ]);
  expect(kept).not.toMatch(/PrivateKey|PresharedKey|\[Interface\]|[Tt]oken|[Pp]assword/);
  await context.setOffline(true);

  const page = await reopened(context);
  await greeting(page, "Марина");
  await page.getByText(MARK).waitFor(PATIENCE);
  await page.getByText(/Подписка до/).waitFor(PATIENCE);
  await page.getByRole("link", { name: "@krug_help" }).first().waitFor(PATIENCE);
  const card = page.getByRole("article", { name: "iphone-marina" });
  await card.getByRole("button", { name: /^Скачать/ }).click();
  await page.getByText(/Ошибка при скачивании конфигурации/).waitFor(PATIENCE);
  await page.getByRole("button", { name: "Повторить" }).first().click();
  await page.getByText(/^Панель клуба не\sотвечает с/).waitFor(PATIENCE);
  // The age is that of the answer, however often it is requested.
  expect(await copyIn(page)).toBe(kept);

  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await context.setOffline(false);
  await page.getByText(MARK).waitFor({ state: "detached", ...PATIENCE });
  await page.getByRole("button", { name: /^Обновить список/ }).waitFor(PATIENCE);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("opening the landing page, the sign-in or the installed app offline leads to the dashboard; nothing else is cached", async () => {
  const { context } = await openAs("marina", "Марина");
  await context.setOffline(true);
  for (const path of ["/", "/login", "/start"]) {
    const page = await reopened(context, path);
    await greeting(page, "Марина");
    expect(new URL(page.url()).pathname).toBe("/dashboard");
  }
  await expect(reopened(context, "/admin/users")).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
});

test("signing out removes all of the member's data", async () => {
  await club.asAdmin("PUT /admin/security", "/admin/security", { mirrorUrl: "https://mirror.example/krug" });
  const { context, page } = await openAs("marina", "Марина");
  await page.getByRole("button", { name: "Выйти" }).click();
  await page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  await isWiped(page);
  await context.setOffline(true);
  for (const path of ["/dashboard", "/login"]) {
    const later = await reopened(context, path);
    await later.getByRole("heading", { name: "Панель клуба не отвечает" }).waitFor(PATIENCE);
    // Nobody learns whose page it was, only the club's other addresses.
    await later.getByRole("link", { name: "@krug_help" }).waitFor(PATIENCE);
    await later.getByRole("link", { name: "mirror.example/krug" }).waitFor(PATIENCE);
    expect(await later.getByText(/Марина|iphone-marina/).count()).toBe(0);
  }
});

test("a session that ended while the page was closed is wiped with the first answer", async () => {
  const { context } = await openAs("vera", "Вера");
  const [row] = await club.asAdmin("GET /users", "/users?q=vera");
  await club.asAdmin("PUT /users/{id}", `/users/${row?.id}`, { isActive: false });
  onTestFinished(async () => {
    await club.asAdmin("PUT /users/{id}", `/users/${row?.id}`, { isActive: true });
  });
  const page = await reopened(context);
  await page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  await isWiped(page);
});

test("an open cached page wipes it too when the panel is back and refuses", async () => {
  const { context } = await openAs("marina", "Марина");
  await context.setOffline(true);
  const page = await reopened(context);
  await page.getByText(MARK).waitFor(PATIENCE);
  await context.clearCookies();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  await isWiped(page);
});

test("the next member in this browser sees nothing of the one before", async () => {
  const visitor = await openAs("marina", "Марина");
  await visitor.context.clearCookies();
  await enter(visitor, "anton", "Антон");
  await becomes(visitor.page, `${COPY}.then((copy) => copy?.text()).then((text) => /anton/.test(text))`, true);
  expect(await copyIn(visitor.page)).not.toMatch(/marina/);
  await visitor.context.setOffline(true);
  const page = await reopened(visitor.context);
  await greeting(page, "Антон");
  expect(await page.getByText(/marina/).count()).toBe(0);
});

test("a browser without workers caches nothing and works as before", async () => {
  const visitor = await visit(browser, { screen: "phone", baseURL: club.url });
  onTestFinished(() => visitor.context.close());
  await visitor.context.addInitScript("delete Navigator.prototype.serviceWorker");
  await visitor.context.addCookies([{ name: "krug_session", value: await club.signIn("marina"), url: club.url }]);
  await visitor.page.goto("/dashboard");
  await visitor.page.getByRole("article", { name: "iphone-marina" }).waitFor(PATIENCE);
  await visitor.page.waitForLoadState("networkidle");
  expect(await visitor.page.evaluate("caches.keys()")).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

test("an upgrade replaces the cache: the next opening shows the new page, offline too", () => expectUpgrade("eager"));

test("if the panel does not answer, the cached page opens", async () => {
  const gateway = await startGateway();
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "hanging";
  await greeting(await reopened(context), "Марина");
});
