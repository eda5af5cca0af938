import { expect, onTestFinished, test, vi } from "vitest";
import { club, openClub } from "./club-in-browser.ts";
import { PATIENCE } from "./enter.ts";
import {
  becomes,
  expectUpgrade,
  greeting,
  MARK,
  openAs,
  openedWhileDown,
  reopened,
  startGateway,
} from "./kept-page.ts";

/* What may happen between a cached page (ADR 47) and an upgrade or maintenance. The simple case is in offline-shell.journey.test.ts. */
openClub();

test("an upgrade with a worker that waits replaces the cache: the next opening shows the new page, offline too", () =>
  expectUpgrade("patient"));

test("a cached page becomes the new one if the connection fails once more when it requests the new worker", async () => {
  const gateway = await startGateway();
  const page = await openedWhileDown(gateway);
  gateway.workersRefused = 2;
  gateway.state = "upgraded";
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
  expect(gateway.workersRefused).toBe(0);
});

const waiting = "navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)";

test.each([
  ["until it is asked for", "patient", false],
  ["for as long as it likes", "deaf", true],
] as const)(
  "a cached page becomes the new one if the browser holds the new worker back %s",
  async (_, worker, isStillHeld) => {
    const gateway = await startGateway();
    const page = await openedWhileDown(gateway);
    gateway.worker = worker;
    gateway.state = "upgraded";
    await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
    await becomes(page, waiting, isStillHeld);
  },
);

test("a cached page becomes the new one if the new worker took over before the page could listen for it", async () => {
  const gateway = await startGateway();
  const { context, page: first } = await openAs("marina", "Марина", gateway.url);
  await first.evaluate(async () => {
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        if (url.includes("/own-copy-")) await (await caches.open(name)).delete(url);
  });
  await (await context.newCDPSession(first)).send("Network.clearBrowserCache");
  gateway.state = "down";
  const page = await reopened(context);
  await page.getByText(MARK).waitFor(PATIENCE);
  gateway.isModuleRefused = (path) => path.includes("/own-copy-");
  gateway.state = "upgraded";
  // Not awaited: the page may reload before the answer.
  await page.evaluate("navigator.serviceWorker.getRegistration().then((worker) => worker.update()), true");
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
});

test("a loading page is requested again when the worker changes: Chromium loses what the old one was fetching", async () => {
  const gateway = await startGateway();
  const page = await openedWhileDown(gateway);
  const asked: string[] = [];
  const events = await page.context().newCDPSession(page);
  events.on("Page.frameRequestedNavigation", ({ reason }) => asked.push(reason));
  events.on("Page.frameNavigated", () => asked.push("navigated"));
  await events.send("Page.enable");
  await page.evaluate(() => {
    const change = () => navigator.serviceWorker.dispatchEvent(new Event("controllerchange"));
    setInterval(() => change() && change(), 100);
  });
  await vi.waitFor(() => expect(asked).toContain("navigated"), PATIENCE);
  expect(asked.slice(0, 2)).toEqual(["reload", "reload"]);
});

test("a page of an older build that was opened offline becomes the new one when the panel is back", async () => {
  const gateway = await startGateway();
  const page = await openedWhileDown(gateway);
  gateway.state = "upgraded";
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
  await greeting(page, "Марина");
  expect(await page.getByText(MARK).count()).toBe(0);
});

test("maintenance is shown as before, instead of the cached page", async () => {
  const { context } = await openAs("marina", "Марина");
  await club.setMaintenance(true);
  onTestFinished(() => club.setMaintenance(false));
  const page = await reopened(context);
  await page
    .getByText(/Технические работы|техническ/i)
    .first()
    .waitFor(PATIENCE);
  expect(await page.getByText(MARK).count()).toBe(0);
});
