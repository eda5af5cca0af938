import type { Step } from "@krug/domain/traffic-span";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/database/database.ts";

/** From one hour (its start, ms) or day (YYYY-MM-DD) to another, both inclusive. */
export type Range = { by: "hour"; first: number; last: number } | { by: "day"; first: string; last: string };

const namesOf = ({ by }: Range) =>
  by === "hour"
    ? { rows: sql.table("traffic_hourly"), club: sql.table("traffic_club_hourly"), at: sql.ref("hour") }
    : { rows: sql.table("traffic_daily"), club: sql.table("traffic_club_daily"), at: sql.ref("day") };

/**
 * A subquery: `config_id`, `rx`, `tx` of the configs in `among` that were used in a range. Two look-ups per config, however long
 * the range: its totals before its first row in it, and after its last. (A cross join tells SQLite the order of the tables; any
 * other order reads the whole history.)
 */
export function usedIn(
  range: Range,
  among: RawBuilder<unknown>,
): RawBuilder<{ config_id: string; rx: number; tx: number }> {
  const { rows, at } = namesOf(range);
  const edge = (which: "min" | "max") => sql`
    (select ${sql.raw(which)}(${at}) from ${rows} as edge
      where edge.config_id = counters.config_id and edge.${at} >= ${range.first} and edge.${at} <= ${range.last})`;
  return sql`(
    select counters.config_id,
      latest.opening_rx + latest.rx - earliest.opening_rx as rx,
      latest.opening_tx + latest.tx - earliest.opening_tx as tx
    from traffic_counters as counters cross join ${rows} as earliest cross join ${rows} as latest
    where counters.config_id in ${among}
      and earliest.config_id = counters.config_id and earliest.${at} = ${edge("min")}
      and latest.config_id = counters.config_id and latest.${at} = ${edge("max")}
  )`;
}

/**
 * A subquery: the hours or days in which a config was used, `rx` and `tx` of each, with the previous one as `since`; null before
 * the first stored one.
 */
export function stepsOf(by: Range["by"], configId: string): RawBuilder<unknown> {
  const [rows, at] = [sql.table(by === "hour" ? "traffic_hourly" : "traffic_daily"), sql.ref(by)];
  return sql`(select ${at}, lag(${at}) over (order by ${at}) as since, rx, tx from ${rows} where config_id = ${configId})`;
}

/** Whose usage is summed: everyone's, everyone's without some, or only some's; each a subquery of config ids. */
export type Whose = { hidden: RawBuilder<unknown> | null } | { only: RawBuilder<unknown> };

/** Usage in each step of a range; absent if none. */
export async function bucketsOf(
  db: Db | Tx,
  range: Range,
  step: Step,
  whose: Whose,
): Promise<Map<string, { rx: number; tx: number }>> {
  const { rows, club, at } = namesOf(range);
  const bucket = step === "month" ? sql`substr(${at}, 1, 7)` : at;
  const within = sql`${at} >= ${range.first} and ${at} <= ${range.last}`;
  // One statement: both halves see one moment, so that nothing hidden shows between two readings.
  const everyones = sql`select ${bucket} as bucket, rx, tx from ${club} where ${within}`;
  const used =
    "only" in whose
      ? sql`select ${bucket} as bucket, rx, tx from ${rows} where ${within} and config_id in ${whose.only}`
      : whose.hidden === null
        ? everyones
        : sql`${everyones}
    union all select ${bucket} as bucket, -rx, -tx from ${rows} where ${within} and config_id in ${whose.hidden}`;
  const found = await sql<{ bucket: string | number; rx: number; tx: number }>`
    select bucket, sum(rx) as rx, sum(tx) as tx from (${used}) as used group by bucket`.execute(db);
  return new Map(found.rows.map(({ bucket, rx, tx }) => [String(bucket), { rx: Number(rx), tx: Number(tx) }]));
}
