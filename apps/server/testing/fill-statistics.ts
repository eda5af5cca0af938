import { type RawBuilder, sql } from "kysely";
import { kinds } from "../src/features/vpn/configs/repository.ts";
import type { Tx } from "../src/platform/database/database.ts";

/** Fills the statistics as if traffic written directly had been counted. */
export async function fillStatistics(tx: Tx): Promise<void> {
  await fill(tx, { rows: "traffic_hourly", at: "hour", sums: "statistics_hourly", never: sql`0` });
  await fill(tx, { rows: "traffic_daily", at: "day", sums: "statistics_daily", never: sql`''` });
}

interface Filling {
  rows: string;
  at: string;
  sums: string;
  never: RawBuilder<unknown>;
}

async function fill(tx: Tx, { never, ...names }: Filling): Promise<void> {
  const [rows, at] = [sql.table(names.rows), sql.ref(names.at)];
  const [sums, came] = [sql.table(names.sums), sql.table(`${names.sums}_came`)];
  await sql`delete from ${sums}`.execute(tx);
  await sql`delete from ${came}`.execute(tx);
  for (const kind of kinds(tx)) {
    await sql`
      insert into ${sums} (${at}, kind, key, rx, tx)
      select ${at}, kind, key, sum(rx), sum(tx) from ${rows} as used join (${kind}) as of_kind on of_kind.config_id = used.config_id
      where true group by ${at}, kind, key
      on conflict (${at}, kind, key) do update set rx = ${sums}.rx + excluded.rx, tx = ${sums}.tx + excluded.tx`.execute(
      tx,
    );
    await sql`
      insert into ${came} (${at}, since, kind, key, configs)
      select ${at}, since, kind, key, count(*) from (
        select config_id, ${at}, lag(${at}, 1, ${never}) over (partition by config_id order by ${at}) as since from ${rows}
      ) as used join (${kind}) as of_kind on of_kind.config_id = used.config_id
      where true group by ${at}, since, kind, key
      on conflict (${at}, since, kind, key) do update set configs = ${came}.configs + excluded.configs`.execute(tx);
  }
}
