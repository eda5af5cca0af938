import { DAY_MS } from "@krug/domain/moment";
import type { Clock } from "./clock.ts";
import type { Db, Transact, Tx } from "./database/database.ts";
import type { Log } from "./log.ts";

type ForgettingTables = {
  forgetting: ForgettingRow & { one: 1 };
};

interface ForgettingRow {
  /** ms, as the other two: when a believed clock last allowed it. */
  at: number;
  doubted_since: number | null;
  doubted_at: number | null;
}

/** A clock this far ahead of the last believed one is doubted, for as long again. */
const JUMP_MS = DAY_MS;
/** A clock that only advances need not be written each time. */
const NOTED_EVERY_MS = DAY_MS / 48;

/** What to remember of `now`: doubted while `doubted_since` is not null. */
export function judge(before: ForgettingRow | undefined, now: number): ForgettingRow {
  const believed = { at: now, doubted_since: null, doubted_at: null };
  if (before === undefined || now - before.at <= JUMP_MS) return believed;
  const { doubted_since: since, doubted_at: seen } = before;
  const goesOn = since !== null && seen !== null && now >= seen && now - seen <= JUMP_MS;
  if (goesOn && now - since >= JUMP_MS) return believed;
  return { at: before.at, doubted_since: goesOn ? since : now, doubted_at: now };
}

/** Whether what has expired may be deleted for good: not by a clock that has jumped ahead of the newest believed moment. */
export interface Forgetting {
  isAllowed(): Promise<boolean>;
  /** The last believed moment, while this clock is doubted; null otherwise. */
  heldSince(): Promise<number | null>;
}

interface Parts {
  db: Db;
  transact: Transact;
  clock: Clock;
  log: Log;
}

const tables = (over: Db | Tx) => over.withTables<ForgettingTables>();
const rowIn = (over: Db | Tx) => tables(over).selectFrom("forgetting").selectAll().executeTakeFirst();

export function makeForgetting({ db, transact, clock, log }: Parts): Forgetting {
  const lookIn = async (over: Db | Tx) => {
    const before = await rowIn(over);
    const now = clock.now().getTime();
    const row = judge(before, now);
    const seen = before && (before.doubted_at ?? before.at);
    const isSame = before !== undefined && (before.doubted_since === null) === (row.doubted_since === null);
    const isNoted = isSame && seen !== undefined && now >= seen && now - seen < NOTED_EVERY_MS;
    return { before, row, isNoted };
  };
  const note = () =>
    transact(async (tx) => {
      const { before, row, isNoted } = await lookIn(tx);
      if (isNoted) return { row, isNew: false };
      await tables(tx)
        .insertInto("forgetting")
        .values({ one: 1, ...row })
        .onConflict((conflict) => conflict.column("one").doUpdateSet(row))
        .execute();
      return { row, isNew: row.doubted_since !== null && before?.doubted_since !== row.doubted_since };
    });
  return {
    async isAllowed() {
      // Asked every 20 seconds, and noted twice an hour.
      const known = await lookIn(db);
      const { row, isNew } = known.isNoted ? { ...known, isNew: false } : await note();
      if (isNew)
        log.warn(
          { believed: new Date(row.at).toISOString() },
          "the clock has jumped ahead: old records are kept for a day",
        );
      return row.doubted_since === null;
    },
    async heldSince() {
      const { row } = await lookIn(db);
      return row.doubted_since === null ? null : row.at;
    },
  };
}
