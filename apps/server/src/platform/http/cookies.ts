/** `session`: the token. `device`: shows that someone has signed in from this browser before; it grants nothing by itself. */
export type CookieName = "session" | "device";

/** Which cookies a call uses. */
export interface CookieJar {
  /** `__Host-` and Secure under https; without both over plain http, where browsers refuse them (decisions, section 2). */
  secure: boolean;
  /** Those of pages in another site's frame (ADR 170); always secure. */
  framed: boolean;
}

const fullName = (name: CookieName, { secure, framed }: CookieJar) =>
  `${secure ? "__Host-" : ""}krug_${framed ? "tg_" : ""}${name}`;

/** The header that sets a cookie, or removes it with null. */
export function cookie(name: CookieName, jar: CookieJar, value: string | null, maxAgeMs: number): string {
  const age = value === null ? 0 : Math.floor(maxAgeMs / 1000);
  const sentTo = jar.framed ? "SameSite=None; Partitioned" : "SameSite=Strict";
  return `${fullName(name, jar)}=${value ?? ""}; Path=/; HttpOnly; ${sentTo}; Max-Age=${age}${jar.secure ? "; Secure" : ""}`;
}

export function readCookie(name: CookieName, jar: CookieJar, header: string | undefined): string | null {
  const wanted = `${fullName(name, jar)}=`;
  for (const part of header?.split(";") ?? []) {
    const sent = part.trim();
    if (sent.startsWith(wanted)) return sent.slice(wanted.length) || null;
  }
  return null;
}
