import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { type RawBuilder, sql } from "kysely";
import type { Clock } from "./clock.ts";
import type { Db, Transact } from "./database/database.ts";
import { makeLasting } from "./lasting.ts";

/** A column with a moment, ms since 1970, for which something waits. */
export interface BoundMoment {
  table: string;
  column: string;
  /** How far ahead a right clock writes it at most; 0: it has happened. */
  aheadMs: number;
  /** Something ends then, and gets its full time. Otherwise what waits is due at once. */
  ends?: true;
  /** With it, an index finds the rows. */
  among?: RawBuilder<unknown>;
}

/**
 * Brings moments back that a clock ahead of time wrote, once this clock has been right for an hour. Otherwise what waits for them
 * would wait until the time comes.
 */
export function makeBoundMoments(
  { db, transact, clock }: { db: Db; transact: Transact; clock: Clock },
  moments: readonly BoundMoment[],
): () => Promise<void> {
  const lasts = makeLasting(clock);
  return async () => {
    const now = clock.now().getTime();
    const placeOf = ({ table, column, aheadMs, among = sql`1 = 1` }: BoundMoment) => ({
      table: sql.table(table),
      column: sql.ref(column),
      isAhead: sql`${among} and ${sql.ref(column)} > ${now + aheadMs + HONEST_SKEW_MS}`,
    });
    const ahead: BoundMoment[] = [];
    for (const moment of moments) {
      const { table, isAhead } = placeOf(moment);
      const { rows } = await sql`select 1 from ${table} where ${isAhead} limit 1`.execute(db);
      if (rows.length > 0) ahead.push(moment);
    }
    if (!lasts(ahead.length > 0)) return;
    for (const moment of ahead) {
      const { table, column, isAhead } = placeOf(moment);
      const right = moment.ends ? now + moment.aheadMs : now;
      await transact(
        async (tx) => void (await sql`update ${table} set ${column} = ${right} where ${isAhead}`.execute(tx)),
      );
    }
  };
}
