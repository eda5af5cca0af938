import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Clock, systemClock } from "../clock.ts";
import { refuse } from "../refusal.ts";
import { compressedNow } from "./compressed.ts";
import { type Framed, isFramedPage } from "./framed.ts";

const A_YEAR_S = 31_536_000;
/** Code, styles and fonts: none of them runs or renders as a document, whatever opens it. */
const NO_DOCUMENT = /^(?:(?:application|text)\/javascript|text\/css|font\/woff2)\b/;
/** Headers that a browser obeys only on a document: on code they are half a kilobyte a file for nothing. */
const DOCUMENT_HEADERS = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];
/** Code that keeps these headers: a worker takes its policy from its own file (ADR 47). */
const WORKER = "/worker.js";
/** A page waits no longer for an answer to embed; the browser then requests it itself. */
const FIRST_ANSWER_WAIT_MS = 200;

/**
 * Serves the built web client: hashed assets immutable and precompressed; every other address gets the page the build made
 * for it, or the shared index, revalidated each time. Without a build there is only the API.
 * @param firstAsked  page → the calls (paths under /api) its script starts with. This visitor's answers travel in the page's
 * head, which saves a distant phone a round trip before it shows anything
 * @param options.framed  pages that another site may frame: all of them are the page of that name
 * @param options.sampleData  the page may show samples while the panel is silent (decisions, section 11)
 */
export async function serveWeb(
  server: FastifyInstance,
  folder: string,
  firstAsked: Readonly<Record<string, readonly string[]>> = {},
  {
    clock = systemClock,
    sampleData = false,
    framed = null,
  }: { clock?: Clock; sampleData?: boolean; framed?: Framed | null } = {},
): Promise<void> {
  if (!existsSync(join(folder, "index.html"))) {
    server.setNotFoundHandler(() => refuse("request.not_found"));
    return;
  }
  const pages = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".html"))
      .map((file) => [file.slice(0, -".html".length), withMode(readFileSync(join(folder, file), "utf8"), sampleData)]),
  );
  await server.register(async (files) => {
    files.addHook("onSend", async (request, reply) => {
      if (request.url.split("?", 1)[0] === WORKER || !NO_DOCUMENT.test(String(reply.getHeader("content-type")))) return;
      for (const header of DOCUMENT_HEADERS) {
        reply.removeHeader(header);
        // Helmet writes past the framework.
        reply.raw.removeHeader(header);
      }
    });
    await files.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      // Pages are answered below; folders are not served, and Accept-Encoding does not change that. What begins with a dot is the
      // build's own.
      allowedPath: (path) => !path.endsWith("/") && !path.includes("/."),
      cacheControl: false,
      // The hash in a name, or the ETag, is enough.
      lastModified: false,
      acceptRanges: false,
      setHeaders(reply, path) {
        const immutable = path.includes("/assets/");
        reply.header("cache-control", immutable ? `public, max-age=${A_YEAR_S}, immutable` : "no-cache");
      },
    });
  });
  server.setNotFoundHandler(async (request, reply) => {
    const isPage =
      ["GET", "HEAD"].includes(request.method) &&
      !request.url.startsWith("/api/") &&
      !request.url.startsWith("/assets/");
    if (!isPage) refuse("request.not_found");
    const path = request.url.split("?", 1)[0] ?? "";
    // The landing page's own address is only the root.
    const asked = path === "/" ? "landing" : path === "/landing" ? "index" : path.slice(1);
    const isFramed = isFramedPage(path, framed);
    if (isFramed) allowFrame(reply, framed);
    const name = isFramed ? framed.path.slice(1) : pages.has(asked) ? asked : "index";
    const answers = await firstAnswers(server, request, firstAsked[name] ?? []);
    reply.header("cache-control", "no-store").type("text/html; charset=utf-8");
    return compressedNow(request, reply, withAnswers(pages.get(name) ?? "", answers, clock));
  });
}

/** That site's pages only, and no page around them. */
function allowFrame(reply: FastifyReply, { by }: Framed) {
  const policy = String(reply.getHeader("content-security-policy"));
  reply
    .header("content-security-policy", policy.replace("frame-ancestors 'none'", `frame-ancestors ${by}`))
    .removeHeader("x-frame-options");
}

/** In the page itself, because the page reads it when the panel does not answer. */
const withMode = (html: string, sampleData: boolean) =>
  sampleData ? html.replace("</head>", '<meta name="sample-data" content="on"></head>') : html;

const HEADERS_OF_THE_VISITOR = [
  "cookie",
  "accept-language",
  "host",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/** This visitor's answers to these calls. Refusals are left out: the browser asks again and gets them itself. */
export async function firstAnswers(server: FastifyInstance, request: FastifyRequest, paths: readonly string[]) {
  // Answers depend on who and where the visitor is: the gate exempts some addresses.
  const headers = Object.fromEntries(
    HEADERS_OF_THE_VISITOR.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const ask = async (path: string): Promise<[string, unknown][]> => {
    const answer = await server.inject({
      method: "GET",
      url: `/api${path}`,
      headers,
      remoteAddress: request.socket.remoteAddress ?? "",
    });
    return answer.statusCode === 200 ? [[path, answer.json()]] : [];
  };
  const found = await Promise.all(
    // A stopping panel cannot call itself any more; the page goes out without these answers.
    paths.map((path) => Promise.race([ask(path).catch(() => []), wait(FIRST_ANSWER_WAIT_MS, [], { ref: false })])),
  );
  return Object.fromEntries(found.flat());
}

/**
 * As data, which no browser executes, before the page's scripts, which read it; `<` is escaped so that no text can close the
 * element.
 */
function withAnswers(html: string, answers: Record<string, unknown>, clock: Clock): string {
  if (Object.keys(answers).length === 0) return html;
  // Without it the page would compare times in the answers with its device's clock, which may be wrong.
  const json = JSON.stringify({ ...answers, "club-time": clock.now().getTime() }).replaceAll("<", "\\u003c");
  const data = `<script type="application/json" id="first-answers">${json}</script>`;
  return html.replace(/<script|<\/head>/, (next) => data + next);
}
