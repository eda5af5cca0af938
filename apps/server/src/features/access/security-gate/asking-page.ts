import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Framed } from "../../../platform/http/framed.ts";

/** The frame's path; under /api, so that the development server forwards it too. */
const PATH = "/api/security/frame";

/**
 * Fetches an address for the page around it, and reports the answer: JSON, or null. It runs in a sandbox without an origin, so
 * the service sees `Origin: null` and nothing of the club.
 */
const SCRIPT = `
addEventListener("message", async ({ source, data }) => {
  if (source !== parent) return;
  let answer = null;
  try {
    const response = await fetch(data.address, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      headers: { accept: "application/json" },
    });
    if (response.ok) answer = await response.json();
  } catch {}
  parent.postMessage({ id: data.id, answer }, "*");
});
parent.postMessage("ready", "*");
`;
const PAGE = `<!doctype html><title>-</title><script>${SCRIPT}</script>`;
const SCRIPT_HASH = createHash("sha256").update(SCRIPT).digest("base64");

/**
 * The page from which the browser calls the gate's services: it may call only these, and only the panel's pages may embed it, some
 * of which are in a frame themselves.
 */
export function serveAskingPage(server: FastifyInstance, services: readonly string[], framed: Framed | null): void {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${SCRIPT_HASH}'`,
    `connect-src ${[...new Set(services.map((address) => new URL(address).origin))].join(" ")}`,
    `frame-ancestors 'self'${framed === null ? "" : ` ${framed.by}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "sandbox allow-scripts",
  ].join("; ");
  server.get(PATH, (_request, reply) =>
    reply
      .header("content-security-policy", policy)
      .header("cache-control", "no-cache")
      .removeHeader("x-frame-options")
      .type("text/html; charset=utf-8")
      .send(PAGE),
  );
}
