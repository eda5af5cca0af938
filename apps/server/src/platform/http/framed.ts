import type { FastifyRequest } from "fastify";

/**
 * A path under which the same pages and calls are served a second time, with cookies of their own, and may be put in a frame by one
 * other site (ADR 170).
 */
export interface Framed {
  /** '/tg' */
  path: string;
  /** The origin of that site. */
  by: string;
}

const callsOf = ({ path }: Framed) => `${path}/api/`;

/** Leads a call under the framed path to the usual one. */
export const rewriteFramed =
  (framed: Framed) =>
  ({ url = "" }: { url?: string | undefined }): string =>
    url.startsWith(callsOf(framed)) ? url.slice(framed.path.length) : url;

/** Whether a call came under the framed path. */
export const isFramedCall = (request: FastifyRequest, framed: Framed | null): boolean =>
  framed !== null && request.originalUrl.startsWith(callsOf(framed));

/** Whether it is the address of a framed page. */
export const isFramedPage = (path: string, framed: Framed | null): framed is Framed =>
  framed !== null && (path === framed.path || path.startsWith(`${framed.path}/`));

/**
 * The framed cookies come along with what other sites' pages cause, as `SameSite=None` says. So they count only for what our own
 * page asks. Browsers that do not say who asked send no cookies into frames of other sites.
 */
export const isAskedElsewhere = ({ headers: { "sec-fetch-site": site } }: FastifyRequest): boolean =>
  typeof site === "string" && site !== "same-origin";
