import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ensureBuilt } from "../scripts/build.mjs";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { startGeoDouble } from "./geo-double.ts";
import { type Panel, startPanel } from "./panel.ts";
import { seen } from "./seen.ts";

/**
 * The gate for visitors from elsewhere: a trusted proxy sends their address, and the panel's own data maps it to a country. Then
 * the panel stops under an open page and comes back.
 */
const FROM = { russia: "77.88.8.8", ukraine: "212.109.32.1", netherlands: "145.97.20.20", hosting: "46.101.1.1" };
const PATIENCE = { timeout: 30_000 };

let panel: Panel;
let browser: Browser;
beforeAll(async () => {
  await ensureBuilt();
  [panel, browser] = await Promise.all([
    startPanel({
      SECURITY_GATE: "on",
      GEO_SERVICES: "",
      TRUSTED_PROXIES: "127.0.0.1",
      ADMIN_USERNAME: "olga",
      ADMIN_PASSWORD: "correct horse battery",
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.remove();
});

async function arrive(address: string, wish: Partial<Parameters<typeof visit>[1]> = {}): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "phone", baseURL: panel.url, ...wish });
  onTestFinished(() => visitor.context.close());
  await visitor.context.setExtraHTTPHeaders({ "x-forwarded-for": address });
  visitor.expectProblem(/auth\/me.*401|401 \(Unauthorized\).*auth\/me/);
  return visitor;
}

const headingOf = async (page: Page) => (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
const plain = (text: string) => text.replaceAll(/\s/g, " ");

test.each([
  ["ru-RU", "/login", FROM.ukraine, "Доступ запрещён: сервис недоступен в вашем регионе"],
  ["en-GB", "/dashboard", FROM.netherlands, "Access denied: service unavailable in your region"],
  ["ru-RU", "/no-such-page", FROM.hosting, "Доступ запрещён: обнаружено использование VPN/Proxy"],
  ["en-GB", "/register", FROM.hosting, "Access denied: VPN/Proxy usage detected"],
])("denied (%s, %s)", async (locale, path, address, words) => {
  const isEnglish = locale === "en-GB";
  const { page, context, problems } = await arrive(address, {
    locale,
    ...(isEnglish ? { screen: "desktop", colorScheme: "light" } : {}),
  });
  if (isEnglish) {
    await context.addInitScript(() => {
      if (!location.protocol.startsWith("http")) return;
      localStorage.setItem("krug.language", "en");
      localStorage.setItem("krug.theme", "light");
    });
  }
  await page.goto(path);
  await page.getByRole("button", { name: isEnglish ? "Check again" : "Проверить ещё раз" }).waitFor(PATIENCE);
  expect(plain(await headingOf(page))).toBe(words);
  await page.waitForURL("**/404", PATIENCE);
  await seen(page, words);
  // The contact is reachable by keyboard.
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BUTTON");
  expect(problems()).toEqual([]);
});

test("the server refuses the sign-in itself, whatever the page believes", async () => {
  const { page, context, expectProblem } = await arrive(FROM.ukraine);
  expectProblem(/auth\/login.*403|403 \(Forbidden\).*auth\/login/);
  await context.addCookies([{ name: "krug.gate", value: "passed", url: panel.url }]);
  await page.goto("/login");
  await page.getByLabel("Имя пользователя").fill("olga");
  await page.getByLabel("Пароль", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Войти" }).click();
  await page.getByText("Доступ запрещён: сервис недоступен в вашем регионе").waitFor(PATIENCE);
});

test("allowed: three rows, then the page; no gate again in the same browser session", async () => {
  const { page, context, problems } = await arrive(FROM.russia);
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  await page.goto("/login");
  await page.getByText("VPN/Proxy не обнаружен").waitFor(PATIENCE);
  const loadedBehind = asked.includes("/api/auth/me");
  await seen(page, "the gate");
  await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
  expect(loadedBehind, "the page is loaded behind the gate").toBe(true);
  const checks = () => asked.filter((path) => ["/api/security/geo", "/api/security/vpn"].includes(path));
  expect(checks()).toEqual(["/api/security/geo", "/api/security/vpn"]);
  await page.reload();
  await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
  const tab = await context.newPage();
  tab.on("request", (request) => void asked.push(new URL(request.url()).pathname));
  await tab.goto("/login");
  await tab.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
  expect(checks(), "neither a reload nor a second tab is checked again").toHaveLength(2);
  expect(problems()).toEqual([]);
});

test("external services see the visitor's address and nothing of the club: no origin, no page, no cookie", async () => {
  const service = await startGeoDouble({ country: "DE", city: "Hannover", timezone: "Europe/Berlin" });
  const asking = await startPanel({ SECURITY_GATE: "on", GEO_SERVICES: `${service.url}/geo?full=1` });
  try {
    const context = await browser.newContext({ baseURL: asking.url, locale: "ru-RU", ignoreHTTPSErrors: true });
    onTestFinished(() => context.close());
    await context.addCookies([{ name: "visited", value: "before", url: service.url, sameSite: "None", secure: true }]);
    const page = await context.newPage();
    const told: string[] = [];
    page.on("console", (message) => void told.push(message.text()));
    await page.goto("/login");
    await page.getByText("Германия, Hannover, Europe/Berlin").waitFor(PATIENCE);
    await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
    expect(service.heard.map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /geo?full=1"]);
    const { headers } = service.heard[0] ?? { headers: {} };
    expect(headers).toMatchObject({ origin: "null", "sec-fetch-site": "cross-site" });
    expect(headers).not.toHaveProperty("referer");
    expect(headers).not.toHaveProperty("cookie");
    expect(JSON.stringify(headers)).not.toContain(new URL(asking.url).host);
    expect(await page.locator("iframe").count()).toBe(0);
    expect(told.filter((text) => /Content Security Policy|frame/i.test(text))).toEqual([]);
    // The page itself may not ask it: the browser would reveal the club's address.
    const asksItself = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => "asked",
          () => "refused",
        ),
      service.url,
    );
    expect([asksItself, service.heard.length]).toEqual(["refused", 1]);
  } finally {
    await Promise.all([asking.remove(), service.stop()]);
  }
});

test("the panel stops under an open dashboard and comes back: no reload, and nobody signs in again", async () => {
  const { page, expectProblem } = await arrive(FROM.russia, { screen: "desktop" });
  expectProblem(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET/);
  await page.goto("/login");
  await page.getByLabel("Имя пользователя").fill("olga");
  await page.getByLabel("Пароль", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Войти" }).click();
  await acceptCharter(page, PATIENCE);
  await page.getByRole("heading", { name: "Здравствуйте, olga" }).waitFor(PATIENCE);
  await page.evaluate(() => {
    localStorage.setItem("something", "else");
    Object.assign(window, { sameDocument: true });
  });
  await panel.stop();
  // A device that comes online again makes the page ask at once.
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.getByText("Ошибка подключения к API: панель не отвечает").waitFor(PATIENCE);
  await seen(page, "the panel is silent");
  expect(await page.evaluate(() => localStorage.getItem("something"))).toBeNull();
  await panel.restart();
  await page.getByText("Связь с панелью есть").waitFor(PATIENCE);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
  expect(await page.getByRole("heading", { name: "Здравствуйте, olga" }).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Выйти" }).click();
  await page.getByRole("heading", { name: "Вход" }).waitFor(PATIENCE);
});
