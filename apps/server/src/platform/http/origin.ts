import { refusals } from "@krug/contract/refusals";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../refusal.ts";
import { routeOf } from "./calls.ts";

/** scheme://host where the caller sees the panel: PUBLIC_URL if its host was requested, else what the request says. */
export function originOf(request: FastifyRequest, publicUrl: URL | null): string {
  if (publicUrl !== null && isHostOf(publicUrl, request.host)) return publicUrl.origin;
  return `${request.protocol}://${request.host}`;
}

/** Case-insensitive, with or without a full name's final dot and the scheme's default port. */
function isHostOf({ host, protocol }: URL, asked: string): boolean {
  const ownPort = protocol === "https:" ? /:443$/ : /:80$/;
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(ownPort, "")
      .replace(/\.(?=:\d+$|$)/, "");
  return plain(asked) === plain(host);
}

/** Paths for monitoring, which uses its own name for the machine and never signs in. */
const UNDER_ANY_HOST: readonly (string | undefined)[] = ["/health", "/api/health", "/metrics"];

/**
 * Under an https PUBLIC_URL the panel answers at no other host: a session opened there would use a cookie that is not
 * https-only. Pages say so in both languages, because the proxy's admin may read either.
 */
export function refuseOtherHosts(server: FastifyInstance, publicUrl: URL | null): void {
  if (publicUrl?.protocol !== "https:") return;
  const { status, ru, en } = refusals["request.wrong_host"];
  server.addHook("onRequest", async (request, reply) => {
    if (isHostOf(publicUrl, request.host) || UNDER_ANY_HOST.includes(routeOf(request))) return;
    if (request.url.startsWith("/api/")) refuse("request.wrong_host");
    reply.code(status).header("cache-control", "no-store").type("text/plain; charset=utf-8").send(`${ru}\n\n${en}\n`);
    return reply;
  });
}

/**
 * Changing requests authenticated by a cookie must come from the panel's own page (decisions, section 2). Browsers always send
 * the origin of a request; one with the cookie but without an origin is refused too.
 */
export function refuseForeignOrigin(request: FastifyRequest, own: string, cookieSent: boolean): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (typeof origin === "string") {
    if (origin !== own) refuse("request.foreign_origin");
  } else if (typeof site === "string") {
    if (site !== "same-origin" && site !== "none") refuse("request.foreign_origin");
  } else if (cookieSent) refuse("request.foreign_origin");
}
