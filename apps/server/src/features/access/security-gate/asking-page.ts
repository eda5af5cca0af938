import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Where the page finds it; under /api, so that the development server passes it on too. */
const PATH = "/api/security/frame";

/**
 * Asks an address for the page around it, and reports the answer: JSON, or null. It is in a sandbox without an
 * origin, so that whom it asks sees `Origin: null` and nothing of the club.
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

/** The page from which the browser asks the gate's services: it may ask these, and the panel's own pages alone may hold it. */
export function serveAskingPage(server: FastifyInstance, services: readonly string[]): void {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${SCRIPT_HASH}'`,
    `connect-src ${[...new Set(services.map((address) => new URL(address).origin))].join(" ")}`,
    "frame-ancestors 'self'",
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
