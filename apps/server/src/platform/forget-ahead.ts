import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { Clock } from "../../../platform/clock.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import { makeLasting } from "../../../platform/lasting.ts";

/**
 * Removes the samples that a clock which was ahead noted, once this one has been right for an hour. Else they would be added to those
 * of their steps when the time comes.
 */
export function makeForgetAhead(
  { db, transact, clock }: { db: Db; transact: Transact; clock: Clock },
  { table, steps }: { table: "server_samples" | "reach_samples"; steps: readonly number[] },
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
