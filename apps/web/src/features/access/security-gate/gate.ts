import { useSyncExternalStore } from "react";
import { api, NoAnswer } from "../../../lib/api.ts";
import { dropOldCookies, gatePass } from "../../../lib/browser-storage.ts";
import { makeCode } from "../../../lib/code.ts";
import { firstAnswer } from "../../../lib/first-answers.ts";
import { wait } from "../../../lib/wait.ts";
import type { Place } from "./place.ts";

/**
 * `asking`: whether there is a gate; `checking`: how many of the three rows are confirmed; `silent`: the panel does not answer,
 * which is not a denial; `failed`: it answered with an error.
 */
export type GateState =
  | { at: "asking" }
  | { at: "silent" }
  | { at: "failed" }
  | { at: "open" }
  | { at: "checking"; confirmed: number; place: Place | null }
  | { at: "denied"; why: "region" | "vpn" };

/** User-side, section 9: the delay between the gate's approval and the application. */
export const REVEAL_MS = 1000;
/** Each row is visible before the next one is confirmed. */
const ROW_MS = 250;
const ASK_AGAIN_MS = 5000;

/** Only a browser that has not passed yet needs it, so it is not part of every page. */
const code = makeCode(() => import("./place.ts"), { ahead: false });

/** Open until it is started, which only the browser's own start does. */
let state: GateState = { at: "open" };
let checks = 0;
const listeners = new Set<() => void>();

function show(next: GateState) {
  state = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

const verdictIsIn = () => state.at === "open" || state.at === "denied";

export const gate = {
  isDenied: () => state.at === "denied",
  /** Waits for the verdict: may this visitor continue? */
  permits: () =>
    new Promise<boolean>((resolve) => {
      if (verdictIsIn()) return resolve(state.at === "open");
      const leave = subscribe(() => {
        if (!verdictIsIn()) return;
        leave();
        resolve(state.at === "open");
      });
    }),
  /** Once per browser session: a visitor who has passed sees no gate again. */
  start() {
    dropOldCookies();
    if (!gatePass.isKept()) void check();
  },
  again: () => void check(),
  /** Back to the start. A running check no longer counts. */
  reset() {
    checks++;
    show({ at: "open" });
  },
};

export const useGate = (): GateState => useSyncExternalStore(subscribe, () => state);

async function check() {
  const own = ++checks;
  const isLatest = () => own === checks;
  if (state.at !== "silent") show({ at: "asking" });
  try {
    const { enabled, services, blockedCountries } =
      firstAnswer("GET /security/gate") ?? (await api("GET /security/gate"));
    if (!isLatest()) return;
    if (!enabled) return show({ at: "open" });
    const verdict = await confirmRows(services, blockedCountries, isLatest);
    if (!isLatest()) return;
    if (verdict !== "allowed") return show({ at: "denied", why: verdict });
    gatePass.keep();
    await wait(REVEAL_MS);
    if (isLatest()) show({ at: "open" });
  } catch (error) {
    if (!isLatest()) return;
    show(error instanceof NoAnswer ? { at: "silent" } : { at: "failed" });
    if (!(error instanceof NoAnswer)) return;
    await wait(ASK_AGAIN_MS);
    if (isLatest()) await check();
  }
}

/** A visitor is denied if either the services or the panel name a blocked country (decisions, section 9). */
async function confirmRows(
  services: readonly string[],
  blocked: readonly string[],
  isLatest: () => boolean,
): Promise<"allowed" | "region" | "vpn"> {
  let place: Place | null = null;
  let shownAt = performance.now();
  const confirm = async (confirmed: number) => {
    if (confirmed > 0) await wait(Math.max(0, shownAt + ROW_MS - performance.now()));
    if (isLatest()) show({ at: "checking", confirmed, place });
    shownAt = performance.now();
  };
  const isBlocked = (country: string | null | undefined) => typeof country === "string" && blocked.includes(country);
  await confirm(0);
  // The panel's own answers load meanwhile.
  const asked = Promise.all([api("GET /security/geo"), api("GET /security/vpn")]);
  asked.catch(() => {});
  const outside = await code.load();
  if (!outside) throw new NoAnswer("unreachable");
  const asking = outside.askServices(services);
  try {
    place = await asking.first;
    if (isBlocked(place?.country)) return "region";
    await confirm(1);
    const [{ country }, { proxy, vpn }] = await asked;
    if (isBlocked(country)) return "region";
    await confirm(2);
    if (proxy || vpn) return "vpn";
    // A service that precedes the first one to answer may have answered by now.
    if (isBlocked(asking.preferred()?.country)) return "region";
    await confirm(3);
    return "allowed";
  } finally {
    asking.stop();
  }
}
