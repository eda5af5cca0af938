import { MINUTE_MS } from "@krug/domain/moment";
import { useSyncExternalStore } from "react";
import { askHealth, NoAnswer, type Silence } from "./api.ts";
import { availability } from "./availability.ts";
import { wait } from "./wait.ts";

/** `reason`: why no answer came, the status of an answer that says the panel cannot serve, or null if unknown. */
export type Connection =
  | { state: "checking" | "connected" }
  | { state: "failed"; reason: Silence | { status: number } | null };

/** (specification, member's side 9) */
const RETRIES = 2;
const RETRY_MS = 3000;
const RECHECK_MS = 5 * MINUTE_MS;
/** While the panel is silent, how often an open page checks whether it is back. */
const LOOK_FOR_RETURN_MS = 5000;

let connection: Connection = { state: "checking" };
/** The current check, or null. A check that is no longer the current one, because its page closed, asks and shows nothing more. */
let running: symbol | null = null;
const listeners = new Set<() => void>();

function show(next: Connection) {
  connection = next;
  for (const listener of listeners) listener();
}

async function ask(isWanted: () => boolean): Promise<Connection | null> {
  for (let retries = 0; isWanted(); retries++) {
    try {
      const status = await askHealth();
      return status === 200 ? { state: "connected" } : { state: "failed", reason: { status } };
    } catch (error) {
      const reason = error instanceof NoAnswer ? error.reason : null;
      // If the browser knows that it is offline, nobody has to wait for calls that would fail.
      if (reason === "offline" || retries === RETRIES) return { state: "failed", reason };
      if (isWanted()) show({ state: "checking" });
      await wait(RETRY_MS);
    }
  }
  return null;
}

/** Checks the panel's health, and retries twice after silence. `quietly`: shows nothing while all is well. */
export async function checkConnection({ quietly = false } = {}): Promise<void> {
  if (running) return;
  const mine = Symbol();
  running = mine;
  if (!quietly) show({ state: "checking" });
  const found = await ask(() => running === mine);
  if (running !== mine || found === null) return;
  running = null;
  if (found.state !== "connected" || connection.state !== "connected") show(found);
}

/** Watches the connection while the page is open. Returns a function that stops it. */
export function watchConnection(): () => void {
  void checkConnection();
  const recheck = setInterval(() => void checkConnection({ quietly: true }), RECHECK_MS);
  const lookForReturn = setInterval(() => {
    if (running) return;
    // `availability` reports the result.
    if (!availability.isUp()) askHealth().catch(() => {});
    // The panel answers that it cannot serve.
    else if (connection.state === "failed") void checkConnection({ quietly: true });
  }, LOOK_FOR_RETURN_MS);
  const leave = availability.subscribe(() => {
    if (running) return;
    if (availability.isUp()) show({ state: "connected" });
    else void checkConnection();
  });
  const lookNow = () => void checkConnection();
  // An action while the panel is silent shows again why nothing happens.
  const leaveFailures = availability.onUnanswered(() => {
    if (!running && connection.state === "failed") show({ ...connection });
  });
  window.addEventListener("online", lookNow);
  window.addEventListener("offline", lookNow);
  return () => {
    running = null;
    clearInterval(recheck);
    clearInterval(lookForReturn);
    leave();
    leaveFailures();
    window.removeEventListener("online", lookNow);
    window.removeEventListener("offline", lookNow);
  };
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => connection,
  );
}
