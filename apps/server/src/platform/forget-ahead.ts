import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { Clock } from "./clock.ts";
import type { Db, Transact } from "./database/database.ts";
import { makeLasting } from "./lasting.ts";

/**
 * Removes samples that a clock ahead of time recorded, once this clock has been right for an hour. Otherwise true samples would be
 * added to them when their time comes. `table` has the columns `step` and `at`, with an index.
 */
export function makeForgetAhead(
  { db, transact, clock }: { db: Db; transact: Transact; clock: Clock },
  { table, steps }: { table: string; steps: readonly number[] },
): () => Promise<void> {
  const lasts = makeLasting(clock);
  return async () => {
    const latest = clock.now().getTime() + HONEST_SKEW_MS;
    // Named with their steps, an index finds them.
    const ahead = sql`where step in (${sql.join(steps)}) and at > ${latest}`;
    const { rows } = await sql`select 1 from ${sql.table(table)} ${ahead} limit 1`.execute(db);
    if (!lasts(rows.length > 0)) return;
    await transact(async (tx) => void (await sql`delete from ${sql.table(table)} ${ahead}`.execute(tx)));
  };
}
