import { keepWritten } from "../written.ts";
import { type Db, readerOf, type Tx } from "./database.ts";

/**
 * `query` with its answers cached by key until anything in the database changes: checking that costs a tenth. Only SQLite can
 * tell; elsewhere each call queries. Answers must not be modified. `undefined` is not cached.
 */
export function whileUnchanged<Value>(
  query: (db: Db | Tx, key: string) => Promise<Value>,
): (db: Db | Tx, key: string) => Promise<Value> {
  const known = new WeakMap<object, Map<string, Value>>();
  return async (db, key) => {
    const state = readerOf(db)?.state();
    if (state === undefined) return query(db, key);
    let answers = known.get(state);
    if (answers === undefined) {
      answers = new Map();
      known.set(state, answers);
    }
    const before = answers.get(key);
    if (before !== undefined) return before;
    const answer = await query(db, key);
    // Something may have been written while the query ran.
    if (answer !== undefined && readerOf(db)?.state() === state) answers.set(key, answer);
    return answer;
  };
}

/** Answers kept at a time: far more than the people who look at an idle club. */
const MOST_ANSWERS = 1_000;

interface Asked {
  key: string;
  besides(): readonly unknown[];
  /** Whether a call for this answer has nothing else to do now than to give it. */
  nothingDue?(): boolean;
}

/**
 * `make`'s answer for a key, the same object while nothing changes in the database nor in what `besides` returns: all else that
 * the answer is made from, such as settings in memory and what the clock decides. Those are compared by identity; undefined is
 * what is not known at the moment, and never the same.
 */
export function answeredWhileSame<Answer extends object>() {
  type Kept = { besides: readonly unknown[]; answer: Answer };
  let known: { state: object; answers: Map<string, Kept> } | null = null;
  return async (
    db: Db,
    { key, besides, nothingDue = () => true }: Asked,
    make: () => Promise<Answer>,
  ): Promise<Answer> => {
    const before = besides();
    const state = readerOf(db)?.state();
    if (state === undefined) return make();
    if (known?.state !== state) known = { state, answers: new Map() };
    const { answers } = known;
    const last = answers.get(key);
    if (last !== undefined && areSame(last.besides, before)) return last.answer;
    const answer = await make();
    // Something may have changed while it was made.
    if (!areSame(besides(), before) || readerOf(db)?.state() !== state) return answer;
    if (answers.size >= MOST_ANSWERS) answers.clear();
    answers.set(key, {
      besides: before,
      answer: keepWritten(answer, () => nothingDue() && areSame(besides(), before)),
    });
    return answer;
  };
}

/** By identity. What is undefined is not known, so it is never the same. */
export const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((value, at) => value !== undefined && Object.is(value, others[at]));
