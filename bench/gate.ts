import { setTimeout as wait } from "node:timers/promises";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../e2e/browser.ts";
import { type Panel, startPanel } from "../e2e/panel.ts";
import { ensureBuilt } from "../scripts/build.mjs";
import { ensureInstalled } from "../scripts/install.mjs";
import { median } from "./table.ts";

/*
 * The security gate's cost for a visitor: the time from its opening until the page behind it is usable, next to the same
 * page without a gate. The page loads behind the gate, so the first should be close to zero.
 */
const ROUNDS = 7;
const ADMIN = { ADMIN_USERNAME: "olga", ADMIN_PASSWORD: "correct horse battery" };
const ENV = { ...ADMIN, GEO_SERVICES: "", LOG_LEVEL: "info" };

interface Times {
  /** From navigation to a usable page, ms. */
  whole: number;
  /** The part after the gate opened; null without a gate. */
  behind: number | null;
}

/**
 * Runs in the page and notes when the gate was last visible and when the page first became usable: per frame, without
 * polling.
 */
const WATCH = `
  window.times = { usable: null, gate: null };
  (function look() {
    const now = performance.now();
    const usable = document.querySelector("SELECTOR");
    const isShown = usable !== null && usable.checkVisibility();
    if (document.querySelector("main ul[aria-live=polite]")) window.times.gate = now;
    if (isShown) window.times.usable = now;
    else requestAnimationFrame(look);
  })();`;

async function open(context: BrowserContext, url: string, selector: string): Promise<Times> {
  const page: Page = await context.newPage();
  await page.addInitScript(WATCH.replace("SELECTOR", selector));
  await page.goto(url);
  const read = () => page.evaluate("window.times") as Promise<{ usable: number | null; gate: number | null }>;
  let times = await read();
  for (const deadline = performance.now() + 60_000; times.usable === null; times = await read()) {
    if (performance.now() > deadline) throw new Error(`${url} cannot be used`);
    await wait(50);
  }
  await page.close();
  return { whole: times.usable, behind: times.gate === null ? null : times.usable - times.gate };
}

/** A new browser opens the sign-in; one that is signed in returns to its own page. */
async function measure(browser: Browser, panel: Panel, who: "first visit" | "returning"): Promise<Times[]> {
  const times: Times[] = [];
  const returning = who === "returning" ? await signedIn(browser, panel) : null;
  for (let round = -1; round < ROUNDS; round += 1) {
    const context = returning ?? (await browser.newContext());
    const page = who === "returning" ? "/dashboard" : "/login";
    const one = await open(
      context,
      panel.url + page,
      who === "returning" ? "#devices" : "input[autocomplete=username]",
    );
    if (returning === null) await context.close();
    // The first round only warms up.
    if (round >= 0) times.push(one);
  }
  await returning?.close();
  return times;
}

async function signedIn(browser: Browser, panel: Panel): Promise<BrowserContext> {
  const context = await browser.newContext();
  const data = { username: ADMIN.ADMIN_USERNAME, password: ADMIN.ADMIN_PASSWORD };
  const answer = await context.request.post(`${panel.url}/api/auth/login`, { data });
  if (!answer.ok()) throw new Error(`the sign-in answered ${answer.status()}`);
  return context;
}

await ensureInstalled();
await ensureBuilt();
const [gated, free, browser] = await Promise.all([
  startPanel({ ...ENV, SECURITY_GATE: "on" }),
  startPanel({ ...ENV, SECURITY_GATE: "off" }),
  openBrowser({ optimizes: true }),
]);
try {
  for (const who of ["first visit", "returning"] as const) {
    const without = median((await measure(browser, free, who)).map(({ whole }) => whole));
    const withGate = await measure(browser, gated, who);
    const behind = median(withGate.map((times) => times.behind ?? Number.NaN));
    const whole = median(withGate.map((times) => times.whole));
    console.log(
      `${who}: usable ${behind.toFixed(0)} ms after the gate opened, beside ${without.toFixed(0)} ms to load it without one: ` +
        `${(behind / without).toFixed(2)}×; with the gate's own time ${whole.toFixed(0)} ms`,
    );
  }
} finally {
  await browser.close();
  await Promise.all([gated.remove(), free.remove()]);
}
