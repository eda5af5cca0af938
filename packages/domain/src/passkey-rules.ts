import { MINUTE_MS } from "./moment.ts";

export const MOST_PASSKEYS = 20;
export const MOST_PASSKEY_NAME = 60;
/** How long a browser may take to answer: people look for their key, and type its PIN. */
export const PASSKEY_ASKED_MS = 5 * MINUTE_MS;

/** Scheme, host and port: `[` begins an IPv6 address. */
const ORIGIN = /^(https?):\/\/(\[|[^:/[\]]+)/;
const IPV4 = /^[\d.]+$/;
const LOOPBACK = /^(?:.+\.)?localhost$/;

/**
 * The host whose passkeys work on pages of this origin (scheme://host[:port]), or null: browsers offer them only over https and
 * under a name, not an address. On the browser's own machine http will do.
 */
export function passkeyHost(origin: string): string | null {
  const [, scheme, host = "["] = ORIGIN.exec(origin.toLowerCase()) ?? [];
  if (host === "[" || IPV4.test(host)) return null;
  return scheme === "https" || LOOPBACK.test(host) ? host : null;
}

/**
 * Whether the authenticator itself can have counted so. Many, such as all that phones keep in sync, stay at 0. A count that does
 * not grow otherwise comes from a copy (WebAuthn, section 6.1.1).
 */
export const isCountCredible = (known: number, counted: number): boolean =>
  (known === 0 && counted === 0) || counted > known;
