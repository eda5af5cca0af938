/** `session`: the token. `device`: shows that someone has signed in from this browser before; it grants nothing by itself. */
export type CookieName = "session" | "device";

/** `__Host-` and Secure under https; without both over plain http, where browsers refuse them (decisions, section 2). */
const fullName = (name: CookieName, secure: boolean) => `${secure ? "__Host-" : ""}krug_${name}`;

/** The header that sets a cookie, or removes it with null. */
export function cookie(name: CookieName, secure: boolean, value: string | null, maxAgeMs: number): string {
  const age = value === null ? 0 : Math.floor(maxAgeMs / 1000);
  return `${fullName(name, secure)}=${value ?? ""}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? "; Secure" : ""}`;
}

export function readCookie(name: CookieName, secure: boolean, header: string | undefined): string | null {
  const wanted = `${fullName(name, secure)}=`;
  for (const part of header?.split(";") ?? []) {
    const sent = part.trim();
    if (sent.startsWith(wanted)) return sent.slice(wanted.length) || null;
  }
  return null;
}
