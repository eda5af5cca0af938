import { setTimeout as wait } from "node:timers/promises";
import { Refusal } from "../refusal.ts";

/**
 * PostgreSQL rolled back the whole transaction because of another one, and asks for a retry: a serialization failure, a deadlock.
 */
const CONFLICTS = new Set(["40001", "40P01"]);
const isConflict = (error: unknown) => CONFLICTS.has((error as { code?: string } | null)?.code ?? "");

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** By then the other transaction is done. */
const RETRY_AFTER_S = 5;

/**
 * Repeats a transaction that conflicted with others. The pauses are random, or the same ones would conflict again.
 * @throws Refusal `database.conflict`: every attempt was rolled back
 */
export async function untilNoConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let made = 1; ; made++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (made === ATTEMPTS)
        throw Object.assign(new Refusal("database.conflict", { seconds: RETRY_AFTER_S }), { cause: error });
      await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** made, LONGEST_PAUSE_MS));
    }
  }
}
