import { isDeepStrictEqual } from "node:util";
import { type Db, refuseInsideTransact, type Tx } from "./database/database.ts";
import type { Signals } from "./signals.ts";

/** The command line changes the database too, and on SQLite nothing notifies the panel: such a change is noticed this late. */
const KEPT_FOR_MS = 1_000;

/** What nearly every call reads and what seldom changes, in memory. */
export interface Cached<Value> {
  /**
   * In a transaction always the database's own answer: what is decided there must hold there. Outside one, the same object for as
   * long as it says the same, so that what is made from it can be kept.
   */
  read(db: Db | Tx): Promise<Value>;
  /** What `read` would answer at once outside a transaction; undefined if it would query the database. */
  latest(): Value | undefined;
  /** Every panel on the database drops it once this is committed. */
  changed(tx: Tx): void;
}

/** `topic`: what panels tell each other of a change by. */
export function makeCached<Value>(
  signals: Signals,
  topic: string,
  query: (db: Db | Tx) => Promise<Value>,
): Cached<Value> {
  let known: { value: Promise<Value>; answered?: Value; until: number } | null = null;
  let latest: Value | undefined;
  const sameIfEqual = (value: Value) => {
    if (!isDeepStrictEqual(value, latest)) latest = value;
    return latest as Value;
  };
  const forget = () => {
    known = null;
  };
  signals.on(topic, forget);
  signals.onGap(forget);
  return {
    read(db) {
      if (db.isTransaction) return query(db);
      refuseInsideTransact();
      // Real time, not the club's clock: this is about how old a copy is.
      if (known !== null && performance.now() < known.until) return known.value;
      const value = query(db).then(sameIfEqual);
      const asked: typeof known = { value, until: performance.now() + KEPT_FOR_MS };
      known = asked;
      value.then(
        (answered) => {
          asked.answered = answered;
        },
        () => {
          if (known === asked) known = null;
        },
      );
      return value;
    },
    latest: () => (known !== null && performance.now() < known.until ? known.answered : undefined),
    changed: (tx) => signals.send(tx, topic),
  };
}
