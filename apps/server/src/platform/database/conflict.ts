import { setTimeout as wait } from "node:timers/promises";
import { oneByOne } from "../limiter.ts";
import { Refusal } from "../refusal.ts";

/**
 * PostgreSQL rolled back the whole transaction because of another one, and asks for a retry: a serialization failure, a deadlock.
 */
const CONFLICTS = new Set(["40001", "40P01"]);
const isConflict = (error: unknown) =>
  CONFLICTS.has((error as { code?: string } | null)?.code ?? "") || isStalePlan(error);

/** An upgrade has changed a table since PostgreSQL planned this statement: the next one is planned again. */
export const isStalePlan = (error: unknown) => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code === "0A000" && message === "cached plan must not change result type";
};

const ATTEMPTS = 8;
/** Whoever conflicts more often takes turns: a panel's own writers are then no longer in each other's way. */
const ATTEMPTS_SIDE_BY_SIDE = 3;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** By then the other transaction is done. */
const RETRY_AFTER_S = 5;

/**
 * Makes a function for one database that repeats a transaction that conflicted with others. The pauses are random, or the same
 * ones would conflict again. It throws the refusal `database.conflict` once every attempt was rolled back.
 */
export function makeRetry() {
  const inTurn = oneByOne();
  return async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
    for (let made = 1; ; made++) {
      try {
        return await (made > ATTEMPTS_SIDE_BY_SIDE ? inTurn(attempt) : attempt());
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (made === ATTEMPTS)
          throw Object.assign(new Refusal("database.conflict", { seconds: RETRY_AFTER_S }), { cause: error });
        await wait(Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** made, LONGEST_PAUSE_MS));
      }
    }
  };
}
