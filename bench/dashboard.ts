import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startClub } from "../apps/server/src/dev/start-club.ts";
import { wishFor } from "../apps/server/src/dev/wishes.ts";
import { makeHttpServer } from "../apps/server/src/platform/http/server.ts";
import { serveWeb } from "../apps/server/src/platform/http/static-web.ts";
import { openBrowser } from "../e2e/browser.ts";
import { ensureBuilt } from "../scripts/build.mjs";
import { ROOT, run, tool } from "../scripts/command.mjs";
import { ensureInstalled } from "../scripts/install.mjs";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench`: from a cold cache to a usable dashboard with three cards, on a processor slowed four times, next to a
 * bare page with the same libraries and the same three cards. The two alternate, so other load on the machine affects both.
 */
const ROUNDS = 9;
const SLOWED = 4;
const LONGEST_MS = 3 * 60_000;
const DEVICES = ["iphone-marina", "ipad-kids", "work-laptop"];

/** As text: the loader of this file would add its own markers to a function. */
const UNTIL_USABLE = `new Promise((resolve) => {
  const isUsable = (card) => {
    const button = [...card.querySelectorAll("button")].find((one) => one.textContent.includes("Скачать"));
    return button?.checkVisibility({ opacityProperty: true }) && !button.disabled;
  };
  const look = () => {
    // Painted, and the page's main thread has nothing more urgent to do.
    if ([...document.querySelectorAll("article")].filter(isUsable).length === ${DEVICES.length})
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    else setTimeout(look, 4);
  };
  look();
})`;

type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** ms from the start of navigation until the cards are painted and clickable; and bytes over the wire. */
async function usableAfter(browser: Browser, origin: string, cookie: string) {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, locale: "ru-RU" });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: origin }]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await devtools.send("Network.enable");
  let bytes = 0;
  devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`${origin}/dashboard`, { waitUntil: "commit" });
  const time = await page.evaluate<number>(UNTIL_USABLE);
  await context.close();
  return { time, bytes };
}

async function buildBarePage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "krug-bare-page-"));
  const { code, output } = await run(
    tool("vite"),
    ["build", "bench", "--config", "vite.bare.ts", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"],
    { cwd: `${ROOT}apps/web`, env: { NODE_ENV: "production" } },
  );
  if (code !== 0) throw new Error(`The bare page could not be built:\n${output}`);
  return folder;
}

await ensureInstalled();
await ensureBuilt();
setTimeout(() => {
  console.error("The bench took too long.");
  process.exit(1);
}, LONGEST_MS).unref();

const club = await startClub({ webFolder: `${ROOT}apps/web/dist` });
const marina = await club.member({ row: { display_name: "Марина" } });
for (const name of DEVICES)
  await club.as(marina).call("POST /vpn/configs", { body: await wishFor(club, marina, { name }) });
await club.settle();
const cookie = `krug_session=${marina.token}`;

const bareFolder = await buildBarePage();
const bare = await makeHttpServer({ logLevel: "silent", trusts: () => false, secure: false, framesItself: false });
for (const key of ["GET /auth/me", "GET /vpn/configs"] as const) {
  const { body } = await club.as(marina).call(key);
  bare.get(`/api${key.slice(4)}`, () => body);
}
await serveWeb(bare, bareFolder);
await bare.listen({ port: 0, host: "127.0.0.1" });

const browser = await openBrowser();
try {
  const [product, reference]: Awaited<ReturnType<typeof usableAfter>>[][] = [[], []];
  // The first round only warms up the machine.
  for (let round = -1; round < ROUNDS; round += 1) {
    const ours = await usableAfter(browser, club.origin, cookie);
    const theirs = await usableAfter(browser, bare.listeningOrigin, cookie);
    if (round < 0) continue;
    product?.push(ours);
    reference?.push(theirs);
  }
  const figure = (list: typeof product, share: number) =>
    at(
      (list ?? []).map(({ time }) => time),
      share,
    );
  const kB = (list: typeof product) => `${((list?.[0]?.bytes ?? 0) / 1000).toFixed(0)} kB`;
  printTable([
    ["what", "measured", "beside", "ratio", "target"],
    ...[0.5, 0.9].map((share) => [
      `dashboard usable, ${SLOWED}× slower, cold, p${share * 100}`,
      ms(figure(product, share)),
      `bare page ${ms(figure(reference, share))}`,
      times(figure(product, share) / figure(reference, share)),
      share === 0.5 ? "< 1.30×" : "",
    ]),
    ["over the wire, fonts and answers too", kB(product), `bare page ${kB(reference)}`, "", ""],
  ]);
} finally {
  await browser.close();
  await bare.close();
  await club.stop();
  await rm(bareFolder, { recursive: true, force: true });
}
process.exit();
