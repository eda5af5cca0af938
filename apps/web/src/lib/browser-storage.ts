/** What the browser stores between visits. Nothing here signs anyone in: the session is an HttpOnly cookie. */
export const KEPT = {
  /** "dark", "light" or "auto"; also read by public/before-paint.js */
  theme: "krug.theme",
  /** "ru" or "en"; also read by public/before-paint.js */
  language: "krug.language",
  /** The specification's name for the mirror of the server's maintenance setting: "true" or absent. */
  maintenance: "maintenanceMode",
} as const;

const SURVIVES_SILENCE: readonly string[] = [KEPT.theme, KEPT.language, "epr_suggested", "epr_sk"];

/** If the panel does not answer at all, the rest is deleted (specification, member's side 4; decisions, section 11). */
export function forgetAfterSilence() {
  attempt(() => {
    for (const key of Object.keys(localStorage)) if (!SURVIVES_SILENCE.includes(key)) localStorage.removeItem(key);
  });
}

export function keep(key: string, value: string | null) {
  attempt(() => (value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
}

export function kept(key: string): string | null {
  return attempt(() => localStorage.getItem(key)) ?? null;
}

/** Also read by public/before-paint.js. */
const GATE = "krug.gate";

const namesOfCookies = () =>
  attempt(() => document.cookie.split("; ").map((part) => part.split("=", 1)[0] ?? "")) ?? [];

function setCookie(name: string, value: string) {
  const ends = `${location.protocol === "https:" ? "; Secure" : ""}${value === "" ? "; Max-Age=0" : ""}`;
  attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that a member may have
    document.cookie = `${name}=${value}; Path=/; SameSite=Strict${ends}`;
  });
}

/** For this browser session, in all its tabs. It is the only cookie that a page sets, because every request carries all cookies. */
export const gatePass = {
  isKept: () => namesOfCookies().includes(GATE),
  keep: () => setCookie(GATE, "passed"),
};

/** Earlier versions of the page stored drafts in cookies. */
export function dropOldCookies() {
  for (const name of namesOfCookies()) if (name.startsWith("krug.") && name !== GATE) setCookie(name, "");
}

/** For this tab only, across a reload; null deletes it. */
export function keepForTab(key: string, value: string | null) {
  attempt(() => (value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)));
}

export const keptForTab = (key: string): string | null => attempt(() => sessionStorage.getItem(key)) ?? null;

/**
 * The member's dashboard as last known (src/app/own-copy.tsx). build/worker.js uses the name too. Raise its number when a page can
 * no longer show what earlier ones wrote.
 */
export const OWN_COPY = "krug.own.2";

/**
 * The club's other addresses (src/app/own-copy.tsx). build/worker.js uses the name too. Belongs to nobody, so it outlives the
 * session (ADR 128).
 */
export const WAYS_COPY = "krug.ways.1";

export const forgetOwnCopy = () => void attempt(() => caches.delete(OWN_COPY).catch(() => {}));

/** Drafts (lib/begun.ts). */
export const BEGUN = "krug.begun";

/** Deletes everything that the tab, or the whole browser, stores for one person, so that the next one gets none of it. */
export function forgetKept(where: "tab" | "browser") {
  if (where === "tab") return void attempt(() => sessionStorage.clear());
  forgetOwnCopy();
  attempt(() => indexedDB.deleteDatabase(BEGUN));
  if (globalThis.Notification?.permission === "granted")
    import("./forget-notifications.ts").then(({ forgetNotifications }) => forgetNotifications()).catch(() => {});
}

/** A browser may forbid storage altogether. Then nothing is stored and everything still works. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
