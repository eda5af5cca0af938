/** `__Host-` and Secure under https; without it over plain http, where browsers refuse both (decisions, section 2). */
const cookieName = (secure: boolean) => (secure ? "__Host-krug_session" : "krug_session");

export function sessionCookie(secure: boolean, token: string | null, maxAgeMs: number): string {
  const age = token === null ? 0 : Math.floor(maxAgeMs / 1000);
  return `${cookieName(secure)}=${token ?? ""}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? "; Secure" : ""}`;
}

export function tokenFromCookies(header: string | undefined, secure: boolean): string | null {
  const wanted = `${cookieName(secure)}=`;
  for (const part of header?.split(";") ?? []) {
    const cookie = part.trim();
    if (cookie.startsWith(wanted)) return cookie.slice(wanted.length) || null;
  }
  return null;
}
