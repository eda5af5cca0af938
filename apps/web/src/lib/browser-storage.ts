/** What the browser keeps between visits. Nothing here signs anyone in: the session is an HttpOnly cookie. */
export const KEPT = {
  /** "dark", "light" or "auto"; also read by public/before-paint.js */
  theme: "krug.theme",
  /** "ru" or "en"; also read by public/before-paint.js */
  language: "krug.language",
  /** The specification's name for the mirror of the server's maintenance setting: "true" or absent. */
  maintenance: "maintenanceMode",
} as const;

const SURVIVES_SILENCE: readonly string[] = [KEPT.theme, KEPT.language, "epr_suggested", "epr_sk"];

/** When the panel gives no answer at all, the rest is forgotten (specification, member's side 4; decisions, section 11). */
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

/** For this browser session, in all its tabs. It is the only cookie that a page sets: each request carries them all. */
export const gatePass = {
  isKept: () => namesOfCookies().includes(GATE),
  keep: () => setCookie(GATE, "passed"),
};

/** Earlier pages kept in cookies what somebody had begun to write. */
export function dropOldCookies() {
  for (const name of namesOfCookies()) if (name.startsWith("krug.") && name !== GATE) setCookie(name, "");
}

/** For this tab only, over a reload; null forgets it. */
export function keepForTab(key: string, value: string | null) {
  attempt(() => (value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)));
}

export const keptForTab = (key: string): string | null => attempt(() => sessionStorage.getItem(key)) ?? null;

/**
 * The member's dashboard as it was last known (src/app/own-copy.tsx); build/worker.js knows the name too.
 * Its number grows when a page can no longer show what earlier ones wrote.
 */
export const OWN_COPY = "krug.own.2";

/** Where else the club is (src/app/own-copy.tsx); build/worker.js knows the name too. Nobody's own, so it outlives the session (ADR 128). */
export const WAYS_COPY = "krug.ways.1";

export const forgetOwnCopy = () => void attempt(() => caches.delete(OWN_COPY).catch(() => {}));

/** What somebody has begun to write (lib/begun.ts). */
export const BEGUN = "krug.begun";

/** Nothing of what a tab, or the browser for all of them, keeps for one person is for the next. */
export function forgetKept(where: "tab" | "browser") {
  if (where === "tab") return void attempt(() => sessionStorage.clear());
  forgetOwnCopy();
  attempt(() => indexedDB.deleteDatabase(BEGUN));
  if (globalThis.Notification?.permission === "granted")
    import("./forget-notifications.ts").then(({ forgetNotifications }) => forgetNotifications()).catch(() => {});
}

/** A browser may forbid storage altogether; then nothing is kept and everything still works. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
