import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import type { App } from "../../apps/server/src/app.ts";

/**
 * Answers that one page gets instead of the panel's. The sample panel sends them itself, to requests that carry the page's
 * name. Intercepting requests in the browser would disable its cache and reload the whole client for every screen.
 */
export type StagedAnswer =
  | { status: number; json: unknown }
  | { status: number; media: string; body: Buffer }
  /** The request never gets an answer. */
  | "never"
  /** The connection breaks. */
  | "silence";

interface Staged {
  answers(method: string, path: string): boolean;
  answer: StagedAnswer;
}

const HEADER = "x-staged-page";
const FIRST_ANSWERS = /<script[^>]*id="first-answers">.*?<\/script>/;

const idOf = new WeakMap<Page, string>();
const stagedFor = new Map<string, Staged[]>();

/** Later stagings take precedence. The page comes without the panel's first answers and asks for them itself. */
export async function stageAnswer(page: Page, staged: Staged): Promise<void> {
  const id = idOf.get(page) ?? randomUUID();
  idOf.set(page, id);
  const others = stagedFor.get(id);
  stagedFor.set(id, [staged, ...(others ?? [])]);
  if (others !== undefined) return;
  page.once("close", () => stagedFor.delete(id));
  await page.setExtraHTTPHeaders({ [HEADER]: id });
}

/** From now on the panel itself answers the page again. */
export async function unstage(page: Page): Promise<void> {
  const id = idOf.get(page);
  if (id === undefined || !stagedFor.delete(id)) return;
  await page.setExtraHTTPHeaders({});
}

/** Lets a panel send staged answers. Call before it listens. */
export function giveStagedAnswers(server: App["server"]): void {
  server.addHook("onRequest", async (request, reply) => {
    const path = new URL(request.url, "http://panel").pathname;
    const staged = stagedFor.get(String(request.headers[HEADER]));
    // Uncompressed, so that the page can be changed while it is sent.
    if (staged && request.headers.accept?.includes("text/html")) delete request.headers["accept-encoding"];
    const found = staged?.find((each) => each.answers(request.method, path));
    if (found === undefined) return;
    const { answer } = found;
    if (answer === "never" || answer === "silence") {
      reply.hijack();
      if (answer === "silence") request.raw.destroy();
      return reply;
    }
    reply.code(answer.status).header("cache-control", "no-store");
    if ("json" in answer) return reply.type("application/json").send(JSON.stringify(answer.json));
    return reply.type(answer.media).send(answer.body);
  });
  server.addHook("onSend", async (request, reply, payload) => {
    const isPage = String(reply.getHeader("content-type")).startsWith("text/html");
    if (!isPage || !stagedFor.has(String(request.headers[HEADER]))) return payload;
    return String(payload).replace(FIRST_ANSWERS, "");
  });
}
