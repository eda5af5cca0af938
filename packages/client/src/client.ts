import { type Calls, type Manner, ROUTES } from "./calls.ts";

export type { Calls, Page } from "./calls.ts";

/** What a call returns: `Answer<"members", "list">`. */
export type Answer<Group extends keyof Calls, Name extends keyof Calls[Group]> = Calls[Group][Name] extends (
  ...wish: never
) => Promise<infer Result>
  ? Result
  : never;

/** Why a call failed. */
export class KrugError extends Error {
  /** The HTTP status; 0: no response. */
  readonly status: number;
  /** The panel's own code, such as `config.limit_reached`; `no_answer` or `unreadable` if the panel did not respond properly. */
  readonly code: string;
  /** The field that the error is about. */
  readonly field: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** After how many ms another try makes sense. */
  readonly retryAfterMs: number | null;

  constructor(status: number, code: string, message: string, more: Partial<KrugError> & { cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.name = "KrugError";
    this.status = status;
    this.code = code;
    this.details = more.details ?? {};
    this.field = typeof this.details.field === "string" ? this.details.field : null;
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

export interface Options {
  /** Of the panel, e.g. https://club.example */
  url: string;
  /** An API token from the panel's settings; it begins with krug_. */
  token: string;
  /** Of error messages; English by default. */
  language?: "ru" | "en";
}

interface Wish extends Manner {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const TIMEOUT_MS = 30_000;

/** The panel's calls, by feature. Each throws KrugError. */
export function makeKrug(options: Options): Calls {
  const groups = Object.entries(ROUTES).map(([group, calls]) => {
    const made = Object.entries(calls).map(([name, [method, path, answer]]) => [
      name,
      (wish: Wish = {}) => call(options, { method, path, answer }, wish),
    ]);
    return [group, Object.fromEntries(made)];
  });
  return Object.fromEntries(groups) as Calls;
}

interface Route {
  method: string;
  path: string;
  answer: "json" | "page" | "file" | "nothing";
}

async function call({ url, token, language = "en" }: Options, { method, path, answer }: Route, wish: Wish) {
  const { params = {}, query = {}, body, idempotencyKey, timeoutMs = TIMEOUT_MS } = wish;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? "")));
  let base = url;
  while (base.endsWith("/")) base = base.slice(0, -1);
  const address = new URL(`${base}/api${filled}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
  const timeout = AbortSignal.timeout(timeoutMs);
  const isFile = body instanceof Blob;
  const init: RequestInit = {
    method,
    // Cookies would be a second way to sign in, next to the token.
    credentials: "omit",
    signal: wish.signal === undefined ? timeout : AbortSignal.any([wish.signal, timeout]),
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "accept-language": language,
      ...(body === undefined ? {} : { "content-type": isFile ? body.type : "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  };
  try {
    const response = await fetch(address, init);
    if (!response.ok) throw await errorOf(response);
    if (answer === "nothing") return undefined;
    if (answer === "file") return await response.blob();
    const rows: unknown = await response.json();
    if (answer === "json") return rows;
    const total = response.headers.get("x-total-count");
    return { rows, next: response.headers.get("x-next-cursor"), total: total === null ? null : Number(total) };
  } catch (error) {
    if (error instanceof KrugError || wish.signal?.aborted) throw error;
    throw new KrugError(0, "no_answer", `The panel at ${address.origin} did not answer.`, { cause: error });
  }
}

async function errorOf(response: Response): Promise<KrugError> {
  const body = (await response.json().catch(() => null)) as { error?: Partial<KrugError> } | null;
  const { code, message, details } = body?.error ?? {};
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : null;
  if (typeof code !== "string")
    return new KrugError(response.status, "unreadable", `The answer ${response.status} did not come from the panel.`, {
      retryAfterMs,
    });
  return new KrugError(response.status, code, message ?? code, { details: details ?? {}, retryAfterMs });
}
