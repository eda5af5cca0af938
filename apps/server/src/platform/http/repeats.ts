import { randomUUID } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import { type Db, readerOf } from "../database/database.ts";

/** An answer as it was sent, which the same request may get again. */
export interface Repeatable {
  status: number;
  /** Names and values in turn, without those of each answer's own. */
  headers: readonly string[];
  body: string | Buffer | null;
  /** The route's pattern. */
  route: string;
  /** Whether a call at this moment would be decided the same, if the database is what it was. */
  isSameAt(now: number): boolean;
}

/** An answer that was repeated. */
export interface Repeated extends Pick<Repeatable, "status" | "route"> {
  requestId: string;
  /** From the request's head to the answer's end. */
  ms: number;
}

/** Headers that every answer has its own of. */
export const OF_EACH = ["x-request-id", "x-club-time"];
/** And of every connection. */
const OF_CONNECTION = ["date", "connection", "keep-alive"];

/** What a client receives. */
interface Sent {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

const MOST_ANSWERS = 1_000;
const MOST_BYTES = 8_000_000;

export type Repeats = ReturnType<typeof makeRepeats>;

/**
 * Repeats an answer to exactly the request that got it: the same address, path and headers, every byte of them. It decides
 * nothing: `mount` says of its answers what they were decided by, and whatever has changed since, the request goes there. Only
 * SQLite tells cheaply that nothing has (ADR 224).
 */
export function makeRepeats({ db, clock }: { db: Db; clock: Clock }) {
  type Answers = Map<string, Repeatable>;
  let kept: { state: object; byUrl: Map<string, Answers>; answers: number; bytes: number } | null = null;
  let isOver = false;
  let lastAt = 0;
  const listeners: ((told: Repeated) => void)[] = [];
  let inFull: ((request: IncomingMessage) => Promise<Sent>) | null = null;

  const find = (request: IncomingMessage, now: number): Repeatable | undefined => {
    const sameUrl = kept?.byUrl.get(request.url ?? "");
    if (isOver || kept === null || sameUrl === undefined || request.method !== "GET") return undefined;
    if (readerOf(db)?.isStill(kept.state) !== true) {
      kept = null;
      return undefined;
    }
    const found = sameUrl.get(senderOf(request));
    return found?.isSameAt(now) === true ? found : undefined;
  };

  const send = ({ status, headers, body, route }: Repeatable, response: ServerResponse, now: number) => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    lastAt = startedAt;
    if (listeners.length > 0)
      response.once("close", () => {
        for (const listener of listeners) listener({ status, route, requestId, ms: performance.now() - startedAt });
      });
    response.writeHead(status, [...headers, "x-request-id", requestId, "x-club-time", String(now)]);
    response.end(body);
  };

  /** @throws Error if this request would get another answer in full */
  const checkIn = async (ask: NonNullable<typeof inFull>, request: IncomingMessage): Promise<void> => {
    const expected = find(request, clock.now().getTime());
    if (expected === undefined) return;
    const sent = await ask(request);
    if (find(request, clock.now().getTime()) === expected) refuseOther(expected, sent);
  };

  return {
    /** Repeats the request's answer, or else calls `otherwise`. */
    answer(request: IncomingMessage, response: ServerResponse, otherwise: () => void): void {
      const repeat = () => {
        const now = clock.now().getTime();
        const found = find(request, now);
        if (found === undefined) otherwise();
        else send(found, response, now);
      };
      if (inFull === null) repeat();
      else checkIn(inFull, request).then(repeat, (error: Error) => response.destroy(error));
    },
    /** When an answer was last repeated, by performance.now(). */
    lastAt: (): number => lastAt,
    /** What the database is now; null if nobody can tell. */
    state: (): object | null => readerOf(db)?.state() ?? null,
    /** `state`: what the database was before anything was decided. */
    keep(request: FastifyRequest, state: object, answer: Repeatable): void {
      if (isOver || !isWhole(request.raw) || readerOf(db)?.state() !== state) return;
      if (!answer.isSameAt(clock.now().getTime())) return;
      const sender = senderOf(request.raw);
      const bytes = 2 * sender.length + (answer.body?.length ?? 0);
      if (bytes > MOST_BYTES) return;
      if (kept === null || kept.state !== state || kept.answers >= MOST_ANSWERS || kept.bytes + bytes > MOST_BYTES)
        kept = { state, byUrl: new Map(), answers: 0, bytes: 0 };
      kept.answers += 1;
      kept.bytes += bytes;
      // Fastify's own `url` is that of the call, whichever path led to it.
      const sameUrl: Answers = kept.byUrl.get(request.originalUrl) ?? new Map();
      kept.byUrl.set(request.originalUrl, sameUrl.set(sender, answer));
    },
    /** Called with each repeated answer once it is sent. */
    onRepeated: (listener: (told: Repeated) => void): void => void listeners.push(listener),
    /** From now on every request is answered in full. */
    end(): void {
      isOver = true;
      kept = null;
    },
    /** From now on each is compared with the same request's answer in full, in tests and development; null: no longer. */
    checkBy(ask: typeof inFull): void {
      inFull = ask;
    },
  };
}

function refuseOther({ status, headers, body }: Repeatable, sent: Sent): void {
  const pairs = (list: readonly string[]) => list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : []));
  const ofAll = Object.entries(sent.headers).filter(([name]) => ![...OF_EACH, ...OF_CONNECTION].includes(name));
  const inOrder = (found: unknown[][]) => found.map(([name, value]) => `${name}: ${value}`).sort();
  const kept = { status, headers: inOrder(pairs(headers)), body: String(body ?? "") };
  const anew = { status: sent.status, headers: inOrder(ofAll), body: sent.body };
  if (!isDeepStrictEqual(kept, anew)) throw new Error("an answer would be repeated that is another now");
}

/** Who sends it, and all that they send besides the path. A header has no line break. */
const senderOf = ({ socket, rawHeaders }: IncomingMessage): string =>
  `${socket.remoteAddress}\n${rawHeaders.join("\n")}`;

/** Whether it comes from a client, and its path and headers are all of it. */
const isWhole = ({ method, headers, socket }: IncomingMessage): boolean =>
  method === "GET" &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  socket instanceof Socket &&
  socket.remoteAddress !== undefined;
