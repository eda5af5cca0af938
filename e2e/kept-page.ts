import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished, vi } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club } from "./club-in-browser.ts";
import { PATIENCE } from "./enter.ts";

/** The dashboard that opens without a connection (ADR 47): a club, a browser with its worker, and a gateway between the two. */

export const MARK = /^Данные на \d\d:\d\d, нет связи$/;
export const COPY = "caches.match('/dashboard', { cacheName: 'krug.own.2' })";

export async function visitWithWorker(baseURL = club.url): Promise<Visitor> {
  const visitor = await visit(browser, { screen: "phone", baseURL, worker: true });
  onTestFinished(() => visitor.context.close());
  visitor.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_EMPTY|ERR_CONNECTION|Failed to fetch|auth\/me|50\d/);
  return visitor;
}

/** Asks the page until it gives this answer. */
export const becomes = (page: Page, question: string, answer: unknown) =>
  vi.waitFor(async () => expect(await page.evaluate(question)).toEqual(answer), PATIENCE);

export const isWiped = (page: Page) => becomes(page, `${COPY}.then(Boolean)`, false);

/** Waits until the next opening could work without a connection. */
async function isKept(page: Page) {
  await becomes(page, `${COPY}.then(Boolean)`, true);
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
}

export async function openAs(username: string, name: string, baseURL = club.url) {
  const visitor = await visitWithWorker(baseURL);
  await visitor.context.addCookies([{ name: "krug_session", value: await club.signIn(username), url: baseURL }]);
  await visitor.page.goto("/dashboard");
  await greeting(visitor.page, name);
  await isKept(visitor.page);
  return visitor;
}

export const greeting = (page: Page, name: string) =>
  page.getByRole("heading", { name: `Здравствуйте, ${name}` }).waitFor(PATIENCE);

/** Like somebody who leaves the application and comes back. */
export async function reopened(context: BrowserContext, path = "/dashboard"): Promise<Page> {
  await Promise.all(context.pages().map((page) => page.close()));
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

export const copyIn = (page: Page) => page.evaluate<string | null>(`${COPY}.then((copy) => copy ? copy.text() : null)`);

/** When new workers take over: at once, when a page asks for it, or when every page of the old one is closed. */
const UPGRADED_WORKERS = {
  eager: (text: string) => text,
  patient: (text: string) => text.replace("await skipWaiting()", ""),
  deaf: (text: string) => text.replaceAll("skipWaiting()", "true"),
};

/** Runs in front of the panel: a gateway whose panel may be down, hang, or have been upgraded. */
export async function startGateway() {
  const gateway = {
    state: "up" as "up" | "down" | "hanging" | "upgraded",
    isModuleRefused: (_path: string) => false,
    /** How many of the next requests for the worker fail. */
    workersRefused: 0,
    worker: "eager" as keyof typeof UPGRADED_WORKERS,
    /** Only a new worker requests the page's file. */
    installTakesMs: 0,
  };
  const target = new URL(club.url);
  const server: Server = createServer(async (incoming, outgoing) => {
    if (incoming.url === "/dashboard.html") await wait(gateway.installTakesMs);
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

/** Opens the cached page while the panel is down. */
export async function openedWhileDown(gateway: Awaited<ReturnType<typeof startGateway>>): Promise<Page> {
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "down";
  const page = await reopened(context);
  await page.getByText(MARK).waitFor(PATIENCE);
  return page;
}

/** Expects that after an upgrade the next opening shows the new page, offline too. */
export async function expectUpgrade(worker: keyof typeof UPGRADED_WORKERS): Promise<void> {
  const gateway = await startGateway();
  gateway.worker = worker;
  const { context } = await openAs("marina", "Марина", gateway.url);
  gateway.state = "upgraded";
  // Longer than the page waits before it asks the worker to take over.
  gateway.installTakesMs = 5_000;
  const shells = "caches.keys().then((names) => names.filter((name) => name.startsWith('krug.shell.')))";
  const page = await reopened(context);
  await greeting(page, "Марина");
  await page.locator('meta[name="build"]').waitFor({ state: "attached", ...PATIENCE });
  await becomes(page, shells, ["krug.shell.next"]);
  await context.setOffline(true);
  const later = await reopened(context);
  await later.getByText(MARK).waitFor(PATIENCE);
  expect(await later.locator('meta[name="build"]').count()).toBe(1);
}
