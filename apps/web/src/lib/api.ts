import type { Api } from "@krug/contract/api";
import { availability } from "./availability.ts";
import { callsAt } from "./base.ts";
import { deviceNow, hearClubTime } from "./club-clock.ts";
import { ofPerson, person } from "./person.ts";
import { presence } from "./presence.ts";
import { sampleMode } from "./sample-mode.ts";
import { type StepUp, stepUps } from "./step-up.ts";

const TIMEOUT_MS = 30_000;
const HEALTH_TIMEOUT_MS = 5_000;

type Messages = Partial<Record<"ru" | "en", string>>;

/** The panel answered with an error. `message` is fit to show, in the page's language when it is read. */
export class ApiError extends Error {
  readonly status: number;
  /** `feature.reason` of the contract's refusals, or "unknown" if a proxy answered for the panel. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    details = {},
    retryAfterMs: number | null = null,
    messages: Messages = {},
  ) {
    super(message);
    Object.defineProperty(this, "message", {
      get: () => messages[document.documentElement.lang as keyof Messages] ?? message,
    });
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Why no answer came: the device is offline, the call timed out, a gateway answered for a panel that is down, or no connection. */
export type Silence = "offline" | "timeout" | "gateway" | "unreachable";

/** No answer came at all: no connection, a timeout, or the panel is down. */
export class NoAnswer extends Error {
  readonly reason: Silence;
  constructor(reason: Silence) {
    super("API is not available");
    this.name = "NoAnswer";
    this.reason = reason;
  }
}

export type Call = keyof Api;
/** A call's required and optional parts. Parts that the contract leaves out are not offered. */
type Parts<K extends Call> = Pick<Api[K], "params" | "query" | "body">;
type Must<T> = [T] extends [undefined]
  ? false
  : undefined extends T
    ? false
    : Record<never, never> extends T
      ? false
      : true;
type Given<P> = {
  [Part in keyof P as Must<P[Part]> extends true ? Part : never]: P[Part];
} & {
  [Part in keyof P as [P[Part]] extends [undefined] ? never : Must<P[Part]> extends true ? never : Part]?: P[Part];
};
interface Manner {
  signal?: AbortSignal;
  /** Made by a timer, not a person: it must not keep a session alive. */
  background?: boolean;
  /** Limit for the whole answer, if longer than usual, as for a large file. */
  timeoutMs?: number;
  /** The same key makes a repeated creation safe. */
  idempotencyKey?: string;
}
type Wish<K extends Call> = Given<Parts<K>> & Manner;
export type Args<K extends Call> = Record<never, never> extends Given<Parts<K>> ? [wish?: Wish<K>] : [wish: Wish<K>];

/** Calls the panel; the key is the contract's `METHOD /path/{param}`. Throws ApiError or NoAnswer. */
export async function api<K extends Call>(key: K, ...[wish]: Args<K>): Promise<Api[K]["answer"]> {
  return (await apiPage(key, ...([wish] as Args<K>))).rows;
}

/** A page of a list (decisions, section 13). */
export interface Page<Rows> {
  rows: Rows;
  /** Rows in the whole list; null if the panel does not count them. */
  total: number | null;
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/** The same for a page of a list, with the panel's headers about the rest. */
export async function apiPage<K extends Call>(key: K, ...[wish]: Args<K>): Promise<Page<Api[K]["answer"]>> {
  return (await pageOf(key, (wish ?? {}) as Loose)) as Page<Api[K]["answer"]>;
}

async function pageOf(key: string, wish: Loose): Promise<Page<unknown>> {
  const answer = await send(key, wish);
  if ("sample" in answer) {
    const rows = answer.sample ?? undefined;
    return { rows, total: Array.isArray(rows) ? rows.length : null, next: null };
  }
  const { response, known, keep } = answer;
  if (response.status === 304 && known) return known.page;
  const { headers } = response;
  const total = headers.get("x-total-count");
  const page = {
    rows: response.status === 204 ? undefined : await response.json(),
    total: total === null ? null : Number(total),
    next: headers.get("x-next-cursor"),
  };
  const tag = headers.get("etag");
  if (tag !== null) keep({ tag, page });
  return page;
}

/** What the panel last answered to each address, so that it need not send the same again (ADR 215). */
const latest = ofPerson(() => new Map<string, Kept>());
interface Kept {
  tag: string;
  page: Page<unknown>;
}
/** More than one screen asks for. */
const MOST_KEPT = 50;

/** The same for calls that answer with a file. */
export async function apiFile<K extends Call>(key: K, ...[wish]: Args<K>): Promise<Blob> {
  return (await ask(key, (wish ?? {}) as Loose)).response.blob();
}

interface Loose extends Manner {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
}

/** The panel's answer. If none comes during a demonstration, sample data (decisions, section 11). */
async function send(key: string, wish: Loose): Promise<Answer | { sample: unknown }> {
  try {
    return await ask(key, wish);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (!isNobodys(key.split(" ", 1)[0] ?? "", wish)) availability.unanswered();
    const sample = await sampleMode.answer(key, wish);
    if (sample === undefined) throw error;
    return { sample };
  }
}

interface Answer {
  /** 304: still what is `known`. */
  response: Response;
  known: Kept | undefined;
  keep: (answer: Kept) => void;
}

async function ask(key: string, wish: Loose): Promise<Answer> {
  const whose = person.calls();
  // While the panel is marked unavailable, every call first checks its health and is refused if that gets no answer.
  if (!availability.isUp()) await askHealth();
  const [method = "GET", path = "/"] = key.split(" ");
  const address = addressOf(path, wish);
  const answers = latest.now;
  const known = method === "GET" ? answers.get(address) : undefined;
  const keep = (answer: Kept) => {
    if (answers.size >= MOST_KEPT) answers.clear();
    answers.set(address, answer);
  };
  const request = () => attempt(address, asRequest(method, wish, whose, known?.tag), wish.timeoutMs);
  const given = new Set<StepUp>();
  for (;;) {
    const response = await request();
    whose.throwIfAborted();
    if (response.ok || response.status === 304) return { response, known, keep };
    const refusal = await refusalOf(response);
    const proof = stepUps[refusal.code];
    if (proof === undefined || given.has(proof) || !(await proof.isGiven(isNobodys(method, wish)))) throw refusal;
    given.add(proof);
  }
}

/** A person causes every change. A page also repeats reads by itself: by a timer, or because others changed something. */
const isNobodys = (method: string, { background = false }: Loose) =>
  background || (method === "GET" && !presence.isFelt());

function asRequest(method: string, wish: Loose, whose: AbortSignal, tag: string | undefined): RequestInit {
  return {
    method,
    signal: wish.signal ? AbortSignal.any([wish.signal, whose]) : whose,
    headers: {
      accept: "application/json",
      "accept-language": document.documentElement.lang || "ru",
      ...(wish.body === undefined
        ? {}
        : { "content-type": wish.body instanceof Blob ? wish.body.type : "application/json" }),
      ...(isNobodys(method, wish) ? { "x-background": "1" } : {}),
      ...(tag ? { "if-none-match": tag } : {}),
      ...(wish.idempotencyKey ? { "idempotency-key": wish.idempotencyKey } : {}),
    },
    ...(wish.body === undefined ? {} : { body: wish.body instanceof Blob ? wish.body : JSON.stringify(wish.body) }),
  };
}

function addressOf(path: string, { params = {}, query = {} }: Loose) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  const search = String(asked);
  return `${callsAt}${filled}${search && `?${search}`}`;
}

async function attempt(address: string, init: RequestInit, timeoutMs = TIMEOUT_MS): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const sentAt = deviceNow();
  try {
    const response = await fetch(address, {
      ...init,
      credentials: "same-origin",
      signal: init.signal ? AbortSignal.any([init.signal, timeout]) : timeout,
    });
    // A gateway's error for a panel that is down is not the panel's answer.
    if ([502, 504].includes(response.status)) throw new NoAnswer("gateway");
    hearClubTime(Number(response.headers.get("x-club-time")), sentAt);
    availability.up();
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    availability.down();
    throw error instanceof NoAnswer ? error : new NoAnswer(silenceOf(error));
  }
}

function silenceOf(error: unknown): Silence {
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  return navigator.onLine === false ? "offline" : "unreachable";
}

/** The status of the panel's health check: 200, or another while it cannot serve. Throws NoAnswer. */
export async function askHealth(): Promise<number> {
  const response = await attempt("/api/health", { headers: { "x-background": "1" } }, HEALTH_TIMEOUT_MS);
  await response.text().catch(() => ""); // unread, it would hold one of the browser's few connections until the timeout
  return response.status;
}

async function refusalOf(response: Response): Promise<ApiError> {
  const retryAfterS = Number(response.headers.get("retry-after") ?? Number.NaN);
  const body: unknown = await response.json().catch(() => null);
  const error = (
    body as { error?: Partial<Pick<ApiError, "code" | "message" | "details">> & { messages?: Messages } } | null
  )?.error;
  return new ApiError(
    response.status,
    error?.code ?? "unknown",
    error?.message ?? "",
    error?.details,
    Number.isFinite(retryAfterS) ? retryAfterS * 1000 : null,
    error?.messages,
  );
}

/**
 * One sentence for the person: the server's if it sent one, otherwise ours. After silence: ours and what that means. Our own
 * refusals (`Error` with a text of the dictionary) are shown as they are.
 */
export function explain(error: unknown, ours: string, silence: string): string {
  const own = error instanceof ApiError || error instanceof Refusal ? error.message : "";
  return error instanceof NoAnswer ? `${ours}. ${silence}` : own || ours;
}

/** What failed, in the specification's words (operator's side 8), and the panel's reason if it gave one. */
export function withReason(failed: string, error: unknown, silence: string): string {
  const reason = error instanceof NoAnswer ? silence : error instanceof ApiError ? error.message : "";
  return reason ? `${failed}. ${reason}` : failed;
}

/** A refusal by the browser itself, before or after a call; the message is a text of the dictionary. */
export class Refusal extends Error {}
