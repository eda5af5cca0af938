import { sql } from "kysely";
import { kinds } from "../features/configs/repository.ts";
import type { Tx } from "../platform/database/database.ts";

/** What statistics keep of traffic that was not counted but written as if it had been. */
export async function fillStatistics(tx: Tx): Promise<void> {
  for (const [step, never] of [
    ["hour", 0],
    ["day", ""],
  ] as const) {
    const [at, rows] = [sql.ref(step), sql.table(step === "hour" ? "traffic_hourly" : "traffic_daily")];
    const [sums, came] =
      step === "hour" ? ["statistics_hourly", "statistics_hourly_came"] : ["statistics_daily", "statistics_daily_came"];
    await sql`delete from ${sql.table(sums)}`.execute(tx);
    await sql`delete from ${sql.table(came)}`.execute(tx);
    await sql`
      insert into ${sql.table(sums)} (${at}, kind, key, rx, tx)
      select ${at}, kind, key, sum(rx), sum(tx)
      from ${rows} as used join (${kinds(tx)}) as kinds on kinds.config_id = used.config_id group by ${at}, kind, key`.execute(
      tx,
    );
    await sql`
      insert into ${sql.table(came)} (${at}, since, kind, key, configs)
      select ${at}, since, kind, key, count(*) from (
        select config_id, ${at}, lag(${at}, 1, ${sql.lit(never)}) over (partition by config_id order by ${at}) as since from ${rows}
      ) as came join (${kinds(tx)}) as kinds on kinds.config_id = came.config_id group by ${at}, since, kind, key`.execute(
      tx,
    );
  }
}
