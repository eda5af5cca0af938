import { setTimeout as wait } from "node:timers/promises";
import { configInput } from "../apps/server/testing/config-input.ts";
import { startClub } from "../apps/server/testing/start-club.ts";
import { openBrowser } from "../e2e/browser.ts";
import { ROOT } from "../scripts/command.mjs";
import { serveBarePage } from "./bare-page.ts";
import { prepareBench } from "./run.ts";
import { at, ms, printTable, times } from "./table.ts";

/*
 * `npm run bench`: from a cold cache to a usable dashboard with three cards, on a processor slowed four times, next to a
 * bare page with the same libraries and the same three cards; then the same again in that browser, which has the files by then. The
 * two alternate, so other load on the machine affects both.
 */
const ROUNDS = 9;
const SLOWED = 4;
/** What loads once the page stands is over by then, and the browser has stored what it compiled. */
const BETWEEN_MS = 2_500;
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

/** ms from the start of navigation until the cards are painted and clickable, twice; and bytes over the wire the first time. */
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
  const open = async () => {
    await page.goto(`${origin}/dashboard`, { waitUntil: "commit" });
    return page.evaluate<number>(UNTIL_USABLE);
  };
  const cold = await open();
  const first = bytes;
  await wait(BETWEEN_MS);
  await page.goto("about:blank");
  const again = await open();
  await context.close();
  return { cold, again, bytes: first };
}

await prepareBench(LONGEST_MS);

const club = await startClub({ webFolder: `${ROOT}apps/web/dist` });
const marina = await club.member({ row: { display_name: "Марина" } });
for (const name of DEVICES)
  await club.as(marina).call("POST /vpn/configs", { body: await configInput(club, marina, { name }) });
await club.settle();
const cookie = `krug_session=${marina.token}`;

const bare = await serveBarePage(club, marina);

const browser = await openBrowser({ optimizes: true });
try {
  const [product, reference]: Awaited<ReturnType<typeof usableAfter>>[][] = [[], []];
  // The first round only warms up the machine.
  for (let round = -1; round < ROUNDS; round += 1) {
    const ours = await usableAfter(browser, club.origin, cookie);
    const theirs = await usableAfter(browser, bare.origin, cookie);
    if (round < 0) continue;
    product?.push(ours);
    reference?.push(theirs);
  }
  const figure = (list: typeof product, what: "cold" | "again", share: number) =>
    at(
      (list ?? []).map((one) => one[what]),
      share,
    );
  const kB = (list: typeof product) => `${((list?.[0]?.bytes ?? 0) / 1000).toFixed(0)} kB`;
  const row = (what: "cold" | "again", share: number, target: string) => [
    `dashboard usable, ${SLOWED}× slower, ${what}, p${share * 100}`,
    ms(figure(product, what, share)),
    `bare page ${ms(figure(reference, what, share))}`,
    times(figure(product, what, share) / figure(reference, what, share)),
    target,
  ];
  printTable([
    ["what", "measured", "beside", "ratio", "target"],
    row("cold", 0.5, "< 1.20×"),
    row("cold", 0.9, ""),
    row("again", 0.5, ""),
    row("again", 0.9, ""),
    [
      "again, of the bare page's cold one, p50",
      ms(figure(product, "again", 0.5)),
      ms(figure(reference, "cold", 0.5)),
      times(figure(product, "again", 0.5) / figure(reference, "cold", 0.5)),
      "< 0.30×",
    ],
    ["over the wire, fonts and answers too", kB(product), `bare page ${kB(reference)}`, "", ""],
  ]);
} finally {
  await browser.close();
  await bare.stop();
  await club.stop();
}
process.exit();
