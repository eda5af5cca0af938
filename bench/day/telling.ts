import { setTimeout as wait } from "node:timers/promises";

/* What the bench tells while it runs, what is wrong, and what must be ended. */

const RECOVERED_WITHIN_MS = 120_000;

export const seconds = (value: number) => (Number.isNaN(value) ? "–" : `${(value / 1_000).toFixed(1)} s`);
export const say = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);
export const timed = async <Result>(what: string, act: () => Promise<Result>): Promise<Result> => {
  const from = performance.now();
  const result = await act();
  say(`${what}: ${seconds(performance.now() - from)}`);
  return result;
};

/** Everything that must not be: each is printed, and fails the bench. */
export const complaints: string[] = [];
export const ends: (() => Promise<unknown>)[] = [];

export async function until(what: string, isSo: () => Promise<boolean> | boolean, withinMs = RECOVERED_WITHIN_MS) {
  const from = performance.now();
  while (!(await isSo())) {
    if (performance.now() - from > withinMs) {
      complaints.push(`after ${withinMs / 1_000} s: ${what} is not so`);
      return Number.NaN;
    }
    await wait(250);
  }
  return performance.now() - from;
}
