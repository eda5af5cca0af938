import { Agent, type ClientRequest, request } from "node:http";
import { until } from "./network.ts";

/* Very many members' open pages: each holds one event stream, and reconnects as a browser does. */

/** How long a browser waits before it reconnects (platform/http/stream.ts), and the maximum added to it here. */
const RETRY_MS = 2_000;
const SPREAD_MS = 1_000;
/** Longer than the part of an event that may continue in the next chunk. */
const TAIL = 64;

export interface OpenPages {
  open(): number;
  /** Waits until every page has its stream. @returns how long that took, ms */
  allOpen(withinMs: number): Promise<number>;
  /** From now on a page counts once it has received this topic. */
  listenFor(topic: string): { heard(): number; all(withinMs: number): Promise<number> };
  /** How often a stream ended, over all pages. */
  returns(): number;
  /** Answers other than a stream, by status. */
  refusals(): Map<number, number>;
  close(): void;
}

export function openPages(url: string, tokens: readonly string[]): OpenPages {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: false });
  const requests = new Set<ClientRequest>();
  const timers = new Set<NodeJS.Timeout>();
  const refusals = new Map<number, number>();
  let listening: { mark: string; heard: Set<number> } | null = null;
  let open = 0;
  let returns = 0;
  let closed = false;

  const comeBack = (page: number) => {
    if (closed) return;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        begin(page);
      },
      RETRY_MS + Math.random() * SPREAD_MS,
    );
    timers.add(timer);
  };
  function begin(page: number) {
    const headers = { authorization: `Bearer ${tokens[page]}`, accept: "text/event-stream" };
    const sent = request({ hostname, port, path: "/api/events", headers, agent });
    requests.add(sent);
    sent.once("response", (response) => {
      if (response.statusCode !== 200) {
        const status = response.statusCode ?? 0;
        refusals.set(status, (refusals.get(status) ?? 0) + 1);
        response.on("error", () => {}).resume();
        return;
      }
      open += 1;
      let tail = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const text = tail + chunk;
        tail = text.slice(-TAIL);
        if (listening !== null && text.includes(listening.mark)) listening.heard.add(page);
      });
      response.on("error", () => {});
      response.once("close", () => {
        open -= 1;
        returns += 1;
      });
    });
    sent.on("error", () => {});
    sent.once("close", () => {
      requests.delete(sent);
      comeBack(page);
    });
    sent.end();
  }
  for (const page of tokens.keys()) begin(page);

  const timed = async (what: () => string, isDone: () => boolean, withinMs: number) => {
    const began = performance.now();
    await until("every page", isDone, withinMs).catch(() => {
      throw new Error(`after ${withinMs / 1_000} s: ${what()}`);
    });
    return performance.now() - began;
  };
  return {
    open: () => open,
    allOpen: (withinMs) =>
      timed(
        () => `${open} of ${tokens.length} pages have their stream`,
        () => open === tokens.length,
        withinMs,
      ),
    listenFor(topic) {
      const heard = new Set<number>();
      listening = { mark: `"topic":"${topic}"`, heard };
      return {
        heard: () => heard.size,
        all: (withinMs) =>
          timed(
            () => `${heard.size} of ${tokens.length} pages heard`,
            () => heard.size === tokens.length,
            withinMs,
          ),
      };
    },
    returns: () => returns,
    refusals: () => refusals,
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      for (const sent of requests) sent.destroy();
    },
  };
}
