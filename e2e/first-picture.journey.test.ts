import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuilt } from "../scripts/build.mjs";
import { openBrowser } from "./browser.ts";
import { type Panel, startPanel } from "./panel.ts";

/** The build's prerendered picture (ADR 37) is what the application then shows: nothing flashes and nothing moves. */
const ADMIN = { username: "olga", password: "correct horse battery" };
let panel: Panel;
let browser: Browser;
beforeAll(async () => {
  await ensureBuilt();
  [panel, browser] = await Promise.all([
    startPanel({ ADMIN_USERNAME: ADMIN.username, ADMIN_PASSWORD: ADMIN.password }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await panel?.remove();
});

const APPLICATION = /\/assets\/index-[^/]+\.js$/;
const picture = async (page: Page) => {
  await page.evaluate("document.fonts.ready");
  // Whether the panel answers is shown later, over the page.
  return page.screenshot({ animations: "disabled", style: "[role=status] { display: none }" });
};

interface Wish {
  width?: number;
  kept?: Record<string, string>;
  signedIn?: boolean;
}

/** Opens a page whose application runs only when `run` is called. */
async function openSlowly(path: string, { width = 360, kept = {}, signedIn = false }: Wish = {}) {
  const context = await browser.newContext({
    viewport: { width, height: 850 },
    baseURL: panel.url,
    locale: "ru-RU",
    serviceWorkers: "block",
  });
  await context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(kept)})`);
  // The application focuses the first field, which redraws it with a few different pixels at the corners.
  await context.addInitScript("HTMLElement.prototype.focus = () => {}");
  if (signedIn) expect((await context.request.post("/api/auth/login", { data: ADMIN })).ok()).toBe(true);
  // For every frame: is the prepared picture shown, has the application drawn anything?
  await context.addInitScript(`window.frames_ = []; (function look() {
    const [ahead, root] = ["prepared", "root"].map((id) => document.getElementById(id));
    if (root) window.frames_.push((ahead && getComputedStyle(ahead).display !== "none" ? 1 : 0) + (root.innerText ? 1 : 0));
    requestAnimationFrame(look);
  })()`);
  const page = await context.newPage();
  let run = () => {};
  const running = new Promise<void>((resolve) => {
    run = resolve;
  });
  await page.route(APPLICATION, async (route) => {
    await running;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("#root").waitFor({ state: "attached" });
  return { page, run, close: () => context.close() };
}

test.each([
  ["/", 360, "dark"],
  ["/", 1440, "light"],
  ["/login", 360, "dark"],
  ["/login", 1440, "light"],
  ["/register", 360, "dark"],
  ["/register", 1440, "light"],
] as const)(
  "a guest sees %s at %i px in the %s theme before any script has come, and it then stays as it is",
  async (path, width, theme) => {
    const { page, run, close } = await openSlowly(path, { width, kept: { "krug.theme": theme } });
    await page.locator("#prepared h1").waitFor();
    const before = await picture(page);
    run();
    await page.locator("#prepared").waitFor({ state: "detached" });
    await page.locator("#root h1").waitFor();
    expect((await picture(page)).equals(before)).toBe(true);
    expect(new Set((await page.evaluate("window.frames_")) as number[])).toEqual(new Set([1]));
    await close();
  },
);

test.each([
  ["another language", "/", { kept: { "krug.language": "en" } }, "A closed club"],
  ["maintenance", "/login", { kept: { maintenanceMode: "true" } }, "Вход"],
  ["an address that is not a page", "/landing", {}, "Закрытый клуб"],
  ["a member at the sign-in", "/login", { signedIn: true }, "Здравствуйте, olga"],
])("%s: the prepared picture shows nothing that the page would not show", async (_, path, wish, words) => {
  const { page, run, close } = await openSlowly(path, wish);
  await page.evaluate("new Promise(requestAnimationFrame)");
  expect(await page.locator("#prepared h1").isVisible()).toBe(false);
  run();
  expect(await page.locator("#root h1").textContent()).toContain(words);
  await close();
});
