import { connect, type Socket } from "node:net";
import { type Kind, makeAsking } from "./asking.ts";

/*
 * Members' open pages: each holds a stream over a connection of its own, asks what a dashboard asks by itself, and asks again what
 * the stream says has changed.
 */
export interface PageOf {
  token: string;
  configIds: string[];
}
export type PagesQuestion =
  | { open: readonly PageOf[]; urls: readonly string[]; overMs: number; presentShare: number }
  | { report: true }
  | { close: true };
export interface PagesAnswer {
  open?: number;
  /** Streams that ended since the last report. */
  ended?: number;
  refused?: number;
  kinds?: [string, Kind][];
  /** When pages first heard of their account since the last report: by page, ms. */
  heard?: [number, number][];
}

/** As the browser: how long it waits before it reconnects unless the stream says otherwise, and what a network adds. */
const RETRY_MS = 2_000;
const NETWORK_MS = 250;
/** apps/web/src/app/use-live-changes.ts */
const GATHER_MS = 100;
const SPREAD_MS = 300;
/** apps/web/src/features/vpn/configs: a page that is left open, and one whose member is there. */
const LIST_EVERY_MS = 600_000;
const CARD_EVERY_MS = 300_000;
const PRESENT_EVERY_MS = 7_000;
const TICK_MS = 100;
const LAST_CHUNK = "0\r\n\r\n";
const ON_ACCOUNT = ["/auth/me", "/vpn/configs", "/payments/own"];
const ON_GAP = [...ON_ACCOUNT, "/support/unread", "/inbox/unread"];

let pages: readonly PageOf[] = [];
let asking = makeAsking([]);
let urls: URL[] = [];
let ended = 0;
let refused = 0;
let closed = false;
let heard = new Map<number, number>();
const streams = new Map<number, Socket>();
const pending = new Map<number, Set<string>>();

const ask = (page: number, path: string) => asking.ask(kindOf(path), { path, token: pages[page]?.token ?? "" });
const kindOf = (path: string) => `GET ${path.replace(/configs\/.*\/stats/, "configs/{id}/stats")}`;

function askSoon(page: number, paths: readonly string[]): void {
  const known = pending.get(page);
  if (known !== undefined) {
    for (const path of paths) known.add(path);
    return;
  }
  const wanted = new Set(paths);
  pending.set(page, wanted);
  setTimeout(
    () => {
      pending.delete(page);
      for (const path of wanted) void ask(page, path);
    },
    GATHER_MS + Math.random() * SPREAD_MS,
  );
}

function listen(page: number, isAgain: boolean): void {
  if (closed) return;
  const url = urls[page % urls.length];
  const socket = connect(Number(url?.port), url?.hostname ?? "");
  let head: string | null = "";
  let retryMs = RETRY_MS;
  socket.setEncoding("latin1");
  socket.setNoDelay(true);
  socket.write(
    `GET /api/events HTTP/1.1\r\nHost: ${url?.host}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${pages[page]?.token}\r\n\r\n`,
  );
  socket.on("data", (piece: string) => {
    if (head === null) {
      retryMs = Number(/^retry: ?(\d+)$/m.exec(piece)?.[1] ?? retryMs);
      hear(page, piece);
      // The panel has ended the answer, and keeps the connection.
      if (piece.endsWith(LAST_CHUNK)) socket.destroy();
      return;
    }
    head += piece;
    if (!head.includes("\r\n\r\n")) return;
    retryMs = Number(/^retry: ?(\d+)$/m.exec(head)?.[1] ?? retryMs);
    if (head.startsWith("HTTP/1.1 200")) {
      streams.set(page, socket);
      if (isAgain) askSoon(page, ON_GAP);
    } else {
      refused += 1;
      socket.destroy();
    }
    head = null;
  });
  socket.on("error", () => {});
  socket.once("end", () => socket.destroy());
  socket.once("close", () => {
    if (streams.get(page) === socket) {
      streams.delete(page);
      ended += 1;
    }
    setTimeout(() => listen(page, true), retryMs + Math.random() * NETWORK_MS);
  });
}

function hear(page: number, text: string): void {
  if (text.includes('"topic":"account"')) {
    if (!heard.has(page)) heard.set(page, Date.now());
    askSoon(page, ON_ACCOUNT);
  }
  if (text.includes('"topic":"configs"')) askSoon(page, ["/vpn/configs"]);
  if (text.includes('"topic":"payments"')) askSoon(page, ["/payments/own"]);
  if (text.includes('"topic":"inbox"')) askSoon(page, ["/inbox/unread"]);
  if (text.includes('"topic":"support"')) askSoon(page, ["/support/unread"]);
}

/** Asks for each page once in `everyMs`, evenly spread. */
function poll(everyMs: number, count: () => number, act: (page: number) => void): void {
  let owed = 0;
  let next = 0;
  setInterval(() => {
    if (closed || count() === 0) return;
    for (owed += (count() * TICK_MS) / everyMs; owed >= 1; owed -= 1) {
      const page = next++ % count();
      if (streams.has(page)) act(page);
    }
  }, TICK_MS);
}

async function open(question: Extract<PagesQuestion, { open: unknown }>): Promise<PagesAnswer> {
  pages = question.open;
  urls = question.urls.map((url) => new URL(url));
  asking = makeAsking(question.urls);
  const all = () => pages.length;
  poll(LIST_EVERY_MS, all, (page) => void ask(page, "/vpn/configs"));
  poll(LIST_EVERY_MS, all, (page) => void ask(page, "/vpn/traffic?days=30"));
  let card = 0;
  poll(CARD_EVERY_MS / 3, all, (page) => {
    const ids = pages[page]?.configIds ?? [];
    void ask(page, `/vpn/configs/${ids[card++ % ids.length]}/stats`);
  });
  poll(
    PRESENT_EVERY_MS,
    () => Math.floor(pages.length * question.presentShare),
    (page) => void ask(page, "/vpn/stats"),
  );
  const began = performance.now();
  const opened: Promise<unknown>[] = [];
  for (const page of pages.keys()) {
    const due = began + (question.overMs * page) / pages.length;
    if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    opened.push(asking.ask("GET / (the page)", { path: "/", token: pages[page]?.token ?? "", page: true }));
    listen(page, false);
  }
  await Promise.all(opened);
  return { open: streams.size };
}

async function answerTo(question: PagesQuestion): Promise<PagesAnswer> {
  if ("open" in question) return open(question);
  if ("close" in question) {
    closed = true;
    for (const socket of streams.values()) socket.destroy();
    return {};
  }
  const answer = { open: streams.size, ended, refused, kinds: [...asking.take()], heard: [...heard] };
  ended = 0;
  refused = 0;
  heard = new Map();
  return answer;
}

process.on("message", async (question: PagesQuestion) => {
  process.send?.(await answerTo(question));
});
process.once("disconnect", () => process.exit());
