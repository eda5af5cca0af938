import { setTimeout as wait } from "node:timers/promises";
import { configInput } from "../apps/server/testing/config-input.ts";
import { codeOf, enabled } from "../apps/server/testing/second-factor.ts";
import { startClub } from "../apps/server/testing/start-club.ts";
import { openBrowser, savesData } from "../e2e/browser.ts";
import { ROOT } from "../scripts/command.mjs";
import { serveBarePage } from "./bare-page.ts";
import { prepareBench } from "./run.ts";
import { median, ms, printTable, times } from "./table.ts";

/*
 * The cost of the first visit to a page: JavaScript and CSS over the wire until nothing more is fetched, without and with the other
 * screens' code that an idle page prefetches; and the time to the first text or picture on a processor slowed four times, next to a
 * bare page with the same libraries (bench/dashboard.ts). The two alternate, so other load on the machine affects both.
 */
const ROUNDS = 7;
const SLOWED = 4;
const QUIET_MS = 1_200;
const STEP_MS = 30_000;
const LONGEST_MS = 4 * 60_000;

type Browser = Awaited<ReturnType<typeof openBrowser>>;
interface Visitor {
  url: string;
  token?: string;
  slowed?: boolean;
  /** The browser saves data, so no page prefetches other screens' code. */
  frugal?: boolean;
}

async function visit(browser: Browser, { url, token, slowed = false, frugal = false }: Visitor) {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, locale: "ru-RU" });
  if (token) await context.addCookies([{ name: "krug_session", value: token, url: new URL(url).origin }]);
  if (frugal) await context.addInitScript(savesData);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  if (slowed) await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await devtools.send("Network.enable");
  return { context, page, devtools };
}

/** Bytes and files of JavaScript and CSS until nothing has been fetched for a while. */
async function weighed(browser: Browser, visitor: Visitor, stands: string, typed?: string) {
  const { context, page, devtools } = await visit(browser, visitor);
  const code = new Set<string>();
  let bytes = 0;
  let lastAt = performance.now();
  devtools.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script" || type === "Stylesheet") code.add(requestId);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    lastAt = performance.now();
    if (code.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto(visitor.url, { waitUntil: "load" });
  if (typed !== undefined) {
    await page.getByLabel("Цифра 1 из 6").click();
    await page.keyboard.type(typed);
  }
  await page.locator(stands).first().waitFor();
  while (performance.now() - lastAt < QUIET_MS) await wait(50);
  await context.close();
  return { bytes, files: code.size };
}

/** ms from the start of navigation to the first contentful paint. */
async function firstPaint(browser: Browser, visitor: Visitor): Promise<number> {
  const { context, page } = await visit(browser, { ...visitor, slowed: true });
  await page.goto(visitor.url, { waitUntil: "load" });
  const time = await page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => {
      const paint = list.getEntriesByName("first-contentful-paint")[0];
      if (paint) resolve(paint.startTime);
    }).observe({ type: "paint", buffered: true }))`,
  );
  await context.close();
  return time;
}

await prepareBench(LONGEST_MS);

const club = await startClub({ webFolder: `${ROOT}apps/web/dist` });
const marina = await club.member({ row: { display_name: "Марина" } });
await club.as(marina).call("POST /vpn/configs", { body: await configInput(club, marina, { name: "iphone-marina" }) });
await club.settle();
const admin = await club.admin();
const { secret } = await enabled(club, admin);
const bare = await serveBarePage(club, marina);
const browser = await openBrowser({ optimizes: true });
try {
  const pages = [
    { name: "landing", path: "/", stands: "h1" },
    { name: "login", path: "/login", stands: "h1" },
    { name: "dashboard", path: "/dashboard", stands: "article", token: marina.token },
    {
      name: "staff's list of members",
      path: "/admin/users",
      stands: "h1",
      token: admin.token,
      // A code is accepted only once.
      codes: [0, STEP_MS].map((later) => codeOf(club, secret, later)),
    },
  ];
  const rows = [["JavaScript and CSS on the wire", "kB", "files", "and ahead, kB", "files"]];
  for (const { name, path, token, stands, codes } of pages) {
    const visitor = { url: club.origin + path, ...(token ? { token } : {}) };
    const own = await weighed(browser, { ...visitor, frugal: true }, stands, codes?.[0]);
    const all = await weighed(browser, visitor, stands, codes?.[1]);
    rows.push([name, ...[own, all].flatMap(({ bytes, files }) => [(bytes / 1000).toFixed(1), String(files)])]);
  }
  printTable(rows);

  const paints: Record<"landing" | "login" | "bare", number[]> = { landing: [], login: [], bare: [] };
  // The first round only warms up the machine.
  for (let round = -1; round < ROUNDS; round += 1) {
    const landing = await firstPaint(browser, { url: `${club.origin}/` });
    const login = await firstPaint(browser, { url: `${club.origin}/login` });
    const reference = await firstPaint(browser, { url: `${bare.origin}/dashboard` });
    if (round < 0) continue;
    paints.landing.push(landing);
    paints.login.push(login);
    paints.bare.push(reference);
  }
  const beside = median(paints.bare);
  printTable([
    [`first paint, ${SLOWED}× slower, cold, median of ${ROUNDS}`, "measured", "beside", "ratio"],
    ...(["landing", "login"] as const).map((name) => {
      const time = median(paints[name]);
      return [name, ms(time), `bare page ${ms(beside)}`, times(time / beside)];
    }),
  ]);
} finally {
  await browser.close();
  await bare.stop();
  await club.stop();
}
process.exit();
