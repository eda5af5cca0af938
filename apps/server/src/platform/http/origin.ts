import type { FastifyRequest } from "fastify";
import { refuse } from "../refusal.ts";

/** scheme://host at which the caller sees the panel: PUBLIC_URL where its host is asked for, else what the request says. */
export function originOf(request: FastifyRequest, publicUrl: URL | null): string {
  if (publicUrl !== null && request.host === publicUrl.host) return publicUrl.origin;
  return `${request.protocol}://${request.host}`;
}

/**
 * Changing requests that a cookie authenticates must come from the panel's own page (decisions, section 2). A browser
 * always tells where a request comes from; one that carries the cookie and tells nothing is refused too.
 */
export function refuseForeignOrigin(request: FastifyRequest, own: string, cookieSent: boolean): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (typeof origin === "string") {
    if (origin !== own) refuse("request.foreign_origin");
  } else if (typeof site === "string") {
    if (site !== "same-origin" && site !== "none") refuse("request.foreign_origin");
  } else if (cookieSent) refuse("request.foreign_origin");
}
