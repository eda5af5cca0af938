import { configInput } from "../apps/server/testing/config-input.ts";
import { startClub } from "../apps/server/testing/start-club.ts";
import { openBrowser } from "../e2e/browser.ts";
import { ROOT } from "../scripts/command.mjs";
import { serveBarePage } from "./bare-page.ts";
import { prepareBench } from "./run.ts";
import { median, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench:slow`: what a phone on slow 3G waits for, with a cold cache: the first text or picture of a page, and after a
 * press on 'Создать конфиг' the first visible reaction and a form that can be filled in. For comparison, on the same connection and
 * in turns: the first paint of a bare page with the same libraries (bench/dashboard.ts), and one call to the panel.
 */
const ROUNDS = 5;
const LINE = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const LONGEST_MS = 8 * 60_000;

type Browser = Awaited<ReturnType<typeof openBrowser>>;

async function open(browser: Browser, url: string, token: string | null = null) {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, locale: "ru-RU" });
  if (token) await context.addCookies([{ name: "krug_session", value: token, url: new URL(url).origin }]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await page.goto(url, { waitUntil: "commit" });
  return { page, close: () => context.close() };
}

type Page = Awaited<ReturnType<typeof open>>["page"];

/** ms from the start of navigation to the first contentful paint. */
const firstPaint = (page: Page) =>
  page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => {
      const paint = list.getEntriesByName("first-contentful-paint")[0];
      if (paint) resolve(paint.startTime);
    }).observe({ type: "paint", buffered: true }))`,
  );

/** Presses the button as soon as it exists: ms until the page reacts, and until the form accepts a name. */
const press = (page: Page) =>
  page.evaluate<{ taken: number; usable: number; call: number }>(
    `(async () => {
      const until = async (there) => {
        while (!there()) await new Promise(requestAnimationFrame);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return performance.now();
      };
      const button = () => [...document.querySelectorAll("button")]
        .find((one) => one.textContent === "Создать конфиг" && one.checkVisibility());
      const frame = () => document.querySelector("[role=dialog]");
      await until(button);
      button().click();
      const pressed = performance.now();
      const taken = await until(() => frame() || /Открываем/.test(document.body.innerText));
      const usable = await until(() => frame()?.querySelector("input[type=text], input:not([type])"));
      const before = performance.now();
      await (await fetch("/health")).text();
      return { taken: taken - pressed, usable: usable - pressed, call: performance.now() - before };
    })()`,
  );

await prepareBench(LONGEST_MS);

const club = await startClub({ webFolder: `${ROOT}apps/web/dist` });
const marina = await club.member({ row: { display_name: "Марина" } });
await club.as(marina).call("POST /vpn/configs", { body: await configInput(club, marina, { name: "iphone-marina" }) });
await club.settle();
const bare = await serveBarePage(club, marina);
const browser = await openBrowser({ optimizes: true });
try {
  const figures = new Map<string, number[]>();
  const note = (name: string, value: number) => figures.set(name, [...(figures.get(name) ?? []), value]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, url, token] of [
      ["bare page", `${bare.origin}/dashboard`, null],
      ["landing", `${club.origin}/`, null],
      ["login", `${club.origin}/login`, null],
      ["dashboard", `${club.origin}/dashboard`, marina.token],
    ] as const) {
      const { page, close } = await open(browser, url, token);
      note(name, await firstPaint(page));
      if (name === "dashboard") {
        const { taken, usable, call } = await press(page);
        note("taken", taken);
        note("usable", usable);
        note("call", call);
      }
      await close();
    }
  }
  const usual = (name: string) => median(figures.get(name) ?? []);
  const row = (what: string, name: string, beside: string) => [
    what,
    ms(usual(name)),
    `${beside === "call" ? "one call" : beside} ${ms(usual(beside))}`,
    times(usual(name) / usual(beside)),
  ];
  printTable([
    [`400 kbit/s, 400 ms, cold, median of ${ROUNDS}`, "measured", "beside", "ratio"],
    row("landing, first paint", "landing", "bare page"),
    row("login, first paint", "login", "bare page"),
    row("dashboard, first paint", "dashboard", "bare page"),
    row("press on 'create' until it is answered", "taken", "call"),
    row("press on 'create' until a name can be typed", "usable", "call"),
  ]);
} finally {
  await browser.close();
  await bare.stop();
  await club.stop();
}
process.exit();
