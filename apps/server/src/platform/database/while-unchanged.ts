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
