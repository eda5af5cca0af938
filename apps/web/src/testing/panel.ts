import type { Api } from "@krug/contract/api";
import { vi } from "vitest";

type Call = keyof Api;

type Answer<K extends Call> = Api[K]["answer"] | Paged<Api[K]["answer"]> | Refused;
/** An answer of the panel by the contract's types, a page of a list, a refusal as the server words it, or silence. */
export type Said<K extends Call> =
  | Answer<K>
  | "silence"
  | ((request: Heard) => Answer<K> | "silence" | Promise<Answer<K>>);
export type Panel = { [K in Call]?: Said<K> | undefined };

class Refused {
  readonly status: number;
  readonly code: string;
  readonly message: string | Record<"ru" | "en", string>;
  readonly details: object;
  constructor(status: number, code: string, message: Refused["message"], details: object) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.details = details;
  }
}
export const refused = (status: number, code: string, message: Refused["message"] = "", details = {}) =>
  new Refused(status, code, message, details);

class Paged<Rows> {
  readonly rows: Rows;
  readonly headers: Record<string, string>;
  constructor(rows: Rows, headers: Record<string, string>) {
    this.rows = rows;
    this.headers = headers;
  }
}
/** A page of a list, with what the panel says of the rest; `total` null: it did not count. */
export const paged = <Rows>(rows: Rows, { total, next = null }: { total: number | null; next?: string | null }) =>
  new Paged(rows, {
    ...(total === null ? {} : { "x-total-count": String(total) }),
    ...(next === null ? {} : { "x-next-cursor": next }),
  });

/** What the browser sent. */
export interface Heard {
  key: Call;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

const SIGNED_OUT = refused(401, "auth.required", "Войдите, чтобы продолжить.");

const NO_BOT: Api["GET /auth/telegram/status"]["answer"] = {
  telegramConnected: false,
  enabled: false,
  required: false,
  botName: null,
  account: null,
  botBlocked: false,
};

const HEALTHY: Api["GET /health"]["answer"] = { status: "ok" };

/** Never the same for other content, also in another test's panel. */
const sent = new Map<string, number>();
const tagOf = (content: string) => {
  if (!sent.has(content)) sent.set(content, sent.size);
  return `"${sent.get(content)}"`;
};

/**
 * Plays the panel behind `fetch`; answers only what a test says, and records what it was asked.
 * @param options.aheadMs  how far its clock is ahead of the device's
 */
export function panel(says: Panel, { aheadMs = 0 } = {}) {
  const heard: Heard[] = [];
  const all: Panel = {
    "GET /auth/me": SIGNED_OUT,
    "GET /health": HEALTHY,
    "GET /maintenance": { enabled: false, since: null },
    "GET /auth/telegram/status": NO_BOT,
    "GET /security/ways": { mirrorUrl: null, supportContact: null },
    "GET /api-tokens": [],
    "GET /passkeys": { host: "localhost", passkeys: [] },
    "GET /push": { publicKey: null, browsers: [] },
    "GET /support/unread": { unread: 0, chat: 0 },
    "GET /admin/support/waiting": { unread: 0, conversations: 0, tickets: { open: 0, in_progress: 0, closed: 0 } },
    "GET /admin/alarms": {
      servers: [],
      exits: [],
      backupLateSince: null,
      maintenanceSince: null,
      claims: 0,
      conversations: 0,
    },
    "GET /admin/pulse": {
      ending: { count: 0, members: [] },
      members: { all: 1, active: 1, joined: 1 },
      devices: { all: 0, online: 0 },
      traffic: { zone: "Europe/Moscow", received: 0, sent: 0, steps: [] },
      revenue: [1, 2, 3, 4, 5, 6].map((month) => ({ period: `2026-0${month}`, cameIn: [] })),
    },
    "GET /inbox/unread": { unread: 0 },
    "GET /auth/invite-attempts": { count: 0, bannedUntil: null },
    ...says,
  };
  const keys = Object.keys(all) as Call[];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const path = address.replace(/^\/api/, "").replace(/\?.*$/, "");
    const method = init.method ?? "GET";
    const key = keys.find((known) => matches(known, method, path));
    const request: Heard = {
      key: key ?? (`${method} ${path}` as Call),
      path,
      query: new URLSearchParams(address.split("?")[1]),
      body: typeof init.body === "string" ? JSON.parse(init.body) : (init.body ?? undefined),
      headers: new Headers(init.headers),
    };
    heard.push(request);
    const said: unknown = key ? all[key] : refused(404, "request.not_found", "Такого адреса нет.");
    const answer: unknown = typeof said === "function" ? await (said as (request: Heard) => unknown)(request) : said;
    if (answer === "silence") throw new TypeError("Failed to fetch");
    const time = { "x-club-time": String(Date.now() + aheadMs) };
    if (answer instanceof Refused) {
      const { status, code, message, details } = answer;
      const words = typeof message === "string" ? { message } : { message: message.ru, messages: message };
      return new Response(JSON.stringify({ error: { code, ...words, details } }), { status, headers: time });
    }
    if (answer === undefined) return new Response(null, { status: 204, headers: time });
    const [content, pageHeaders] = answer instanceof Paged ? [answer.rows, answer.headers] : [answer, {}];
    const text = typeof content === "string" ? content : JSON.stringify(content);
    const tag = tagOf(text + JSON.stringify(pageHeaders));
    const headers = { ...time, ...pageHeaders, ...(method === "GET" ? { etag: tag } : {}) };
    if (method === "GET" && request.headers.get("if-none-match") === tag)
      return new Response(null, { status: 304, headers });
    return new Response(text, { headers });
  });
  return {
    heard,
    /** Changes answers from now on. */
    say: (more: Panel) => {
      Object.assign(all, more);
      for (const key of Object.keys(more) as Call[]) if (!keys.includes(key)) keys.unshift(key);
    },
    asked: (key: Call) => heard.filter((request) => request.key === key),
  };
}

function matches(key: string, method: string, path: string): boolean {
  const [itsMethod, itsPath = ""] = key.split(" ");
  return itsMethod === method && new RegExp(`^${itsPath.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
}
