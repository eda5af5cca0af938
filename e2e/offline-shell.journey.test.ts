import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { enter, PATIENCE } from "./enter.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";

/** The dashboard that opens without a connection (ADR 47), and what is left of it for the next person. */

let club: SampleClub;
let browser: Browser;
beforeAll(async () => {
  [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await club?.remove();
});

const MARK = /^Данные на \d\d:\d\d, нет связи$/;
const COPY = "caches.match('/dashboard', { cacheName: 'krug.own.2' })";

async function visitWithWorker(baseURL = club.url): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "phone", baseURL, worker: true });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_EMPTY|ERR_CONNECTION|Failed to fetch|auth\/me|50\d/);
  return visitor;
}

/** Asks the page until it answers so. */
const becomes = (page: Page, question: string, answer: unknown) =>
  vi.waitFor(async () => expect(await page.evaluate(question)).toEqual(answer), PATIENCE);

const isWiped = (page: Page) => becomes(page, `${COPY}.then(Boolean)`, false);

/** Until the next opening could do without a connection. */
async function isKept(page: Page) {
  await becomes(page, `${COPY}.then(Boolean)`, true);
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
}

async function openAs(username: string, name: string, baseURL = club.url) {
  const visitor = await visitWithWorker(baseURL);
  await visitor.context.addCookies([{ name: "krug_session", value: await club.signIn(username), url: baseURL }]);
  await visitor.page.goto("/dashboard");
  await greeting(visitor.page, name);
  await isKept(visitor.page);
  return visitor;
}

const greeting = (page: Page, name: string) =>
  page.getByRole("heading", { name: `Здравствуйте, ${name}` }).waitFor(PATIENCE);

/** As when somebody leaves the application and comes back. */
async function reopened(context: BrowserContext, path = "/dashboard"): Promise<Page> {
  await Promise.all(context.pages().map((page) => page.close()));
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const copyIn = (page: Page) => page.evaluate<string | null>(`${COPY}.then((copy) => copy ? copy.text() : null)`);

test("opened off line, the dashboard shows what was last known and how old it is, and comes back by itself", async () => {
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
  const card = page.getByRole("article", { name: "iphone-marina" });
  await card.getByRole("button", { name: /^Скачать/ }).click();
  await page.getByText(/Ошибка при скачивании конфигурации/).waitFor(PATIENCE);
  await page.getByRole("button", { name: "Повторить" }).first().click();
  await page.getByText(/^Панель клуба не\sотвечает с/).waitFor(PATIENCE);
  // The age is that of the answer, however often it is asked for.
  expect(await copyIn(page)).toBe(kept);

  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await context.setOffline(false);
  await page.getByText(MARK).waitFor({ state: "detached", ...PATIENCE });
  await page.getByRole("button", { name: /^Обновить список/ }).waitFor(PATIENCE);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
});

test("who comes in by the front door or the sign-in off line is led to the dashboard; nothing else is kept", async () => {
  const { context } = await openAs("marina", "Марина");
  await context.setOffline(true);
  for (const path of ["/", "/login"]) {
    const page = await reopened(context, path);
    await greeting(page, "Марина");
    expect(new URL(page.url()).pathname).toBe("/dashboard");
  }
  await expect(reopened(context, "/admin/users")).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
});

test("signing out leaves nothing behind", async () => {
  const { context, page } = await openAs("marina", "Марина");
  await page.getByRole("button", { name: "Выйти" }).click();
  await page.getByRole("button", { name: "Войти" }).waitFor(PATIENCE);
  await isWiped(page);
  await context.setOffline(true);
  const later = await reopened(context);
  await later.getByRole("heading", { name: "Панель клуба не отвечает" }).waitFor(PATIENCE);
  expect(await later.getByText(/Марина|iphone-marina/).count()).toBe(0);
});

test("a session that ended while the page was away is wiped with the first answer", async () => {
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

test("an open page that was kept wipes it too when the panel is back and refuses", async () => {
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

test("maintenance is shown as before, and not the kept page", async () => {
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

test("a browser without workers keeps nothing and works as before", async () => {
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

/** When they take over: at once, when a page asks for it, when every page of the old one is closed. */
const UPGRADED_WORKERS = {
  eager: (text: string) => text,
  patient: (text: string) => text.replace("await skipWaiting()", ""),
  deaf: (text: string) => text.replaceAll("skipWaiting()", "true"),
};

/** In front of the panel: a gateway whose panel may be down, hang, or have been upgraded. */
async function startGateway() {
  const gateway = {
    state: "up" as "up" | "down" | "hanging" | "upgraded",
    isModuleRefused: (_path: string) => false,
    /** So many of the next requests for the worker fail. */
    workersRefused: 0,
    worker: "eager" as keyof typeof UPGRADED_WORKERS,
  };
  const target = new URL(club.url);
  const server: Server = createServer((incoming, outgoing) => {
    if (gateway.state === "hanging") return;
    if (gateway.state === "down") return void outgoing.writeHead(502).end("Bad Gateway");
    const { url: path = "/", method, headers } = incoming;
    const isModule = headers["sec-fetch-dest"] === "script";
    if (isModule && gateway.isModuleRefused(path)) return void outgoing.writeHead(502).end("Bad Gateway");
    if (path === "/worker.js" && gateway.workersRefused > 0) {
      gateway.workersRefused -= 1;
      return void outgoing.writeHead(502).end("Bad Gateway");
    }
    const isText = /^\/(?:dashboard(?:\.html)?|worker\.js)$/.test(path);
    const { "if-none-match": _, "if-modified-since": __, ...fresh } = headers;
    const wish = isText ? { ...fresh, "accept-encoding": "identity" } : headers;
    const asked = request({ host: target.hostname, port: target.port, path, method, headers: wish }, (answer) => {
      if (!isText || gateway.state !== "upgraded") {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        return void answer.pipe(outgoing);
      }
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => {
        const text = String(Buffer.concat(pieces))
          .replace("<title>", '<meta name="build" content="next"><title>')
          .replace(/"build":"\w+"/, '"build":"next"');
        const { "content-length": ___, etag: ____, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, rest).end(UPGRADED_WORKERS[gateway.worker](text));
      });
    });
    incoming.pipe(asked);
    outgoing.on("close", () => asked.destroy());
    asked.on("error", () => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(gateway, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** A page of what was kept while the panel is down. */
async function openedWhileDown(gateway: Awaited<ReturnType<typeof startGateway>>): Promise<Page> {
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "down";
  const page = await reopened(context);
  await page.getByText(MARK).waitFor(PATIENCE);
  return page;
}

test.each(["eager", "patient"] as const)(
  "an upgrade with a worker that is %s replaces what is kept: the next opening is the new page, off line too",
  async (worker) => {
    const gateway = await startGateway();
    gateway.worker = worker;
    const { context } = await openAs("marina", "Марина", gateway.url);
    gateway.state = "upgraded";
    const shells = "caches.keys().then((names) => names.filter((name) => name.startsWith('krug.shell.')))";
    const page = await reopened(context);
    await greeting(page, "Марина");
    await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
    await becomes(page, shells, ["krug.shell.next"]);
    await context.setOffline(true);
    const later = await reopened(context);
    await later.getByText(MARK).waitFor(PATIENCE);
    expect(await later.locator('meta[name="build"]').count()).toBe(1);
  },
);

test("a page of an older build that was opened off line becomes the new one when the panel is back", async () => {
  const gateway = await startGateway();
  const page = await openedWhileDown(gateway);
  gateway.state = "upgraded";
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
  await greeting(page, "Марина");
  expect(await page.getByText(MARK).count()).toBe(0);
});

test("so it does if the line fails once more when it asks for the new worker", async () => {
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
] as const)("so it does if the browser holds the new worker back %s", async (_, worker, isStillHeld) => {
  const gateway = await startGateway();
  const page = await openedWhileDown(gateway);
  gateway.worker = worker;
  gateway.state = "upgraded";
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
  await becomes(page, waiting, isStillHeld);
});

test("so it does if the new worker took over before the page could listen for it", async () => {
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
  // Not waited for: the page may load anew before the answer.
  await page.evaluate("navigator.serviceWorker.getRegistration().then((worker) => worker.update()), true");
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
});

test("a page that is on its way asks once more when the worker changes: Chromium loses what the old one was fetching", async () => {
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

test("a line that says nothing opens the kept page within seconds", async () => {
  const gateway = await startGateway();
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "hanging";
  const began = performance.now();
  const page = await reopened(context);
  await greeting(page, "Марина");
  expect(performance.now() - began).toBeLessThan(15_000);
});
