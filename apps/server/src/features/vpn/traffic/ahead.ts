import { HONEST_SKEW_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";

/** An hour and a day: the club's current ones, or the latest that a correct clock can have recorded. */
interface When {
  hour: number;
  day: string;
}

/** If the club has just moved to another zone, the day may be later by at most two. */
const latestAt = (clubTime: ClubTime, now: number): When => ({
  hour: clubTime.startOfHour(now + HONEST_SKEW_MS),
  day: clubTime.dayOf(now, 2),
});

const SPANS = [
  { by: "hour", rows: "traffic_hourly", club: "traffic_club_hourly", used: "used_hour" },
  { by: "day", rows: "traffic_daily", club: "traffic_club_daily", used: "used_day" },
] as const;

/** Whether anything was counted in a future hour or day. */
export async function isAhead(db: Db, clubTime: ClubTime, now: number): Promise<boolean> {
  const latest = latestAt(clubTime, now);
  for (const { by, club } of SPANS) {
    const { rows } = await sql`
      select 1 from ${sql.table(club)} where ${sql.ref(by)} > ${latest[by]} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

/**
 * Moves what was counted under a clock that was ahead into this hour and day: where else it belongs cannot be known. Each
 * config's rows stay in order, with the totals before them (ADR 17). Answers where it now is.
 */
export async function bringBack(tx: Tx, clubTime: ClubTime, now: number): Promise<When> {
  const latest = latestAt(clubTime, now);
  const here: When = { hour: clubTime.startOfHour(now), day: clubTime.dayOf(now) };
  for (const names of SPANS) {
    const [rows, club, at, used] = [
      sql.table(names.rows),
      sql.table(names.club),
      sql.ref(names.by),
      sql.ref(names.used),
    ];
    const [last, to] = [latest[names.by], here[names.by]];
    await sql`
      insert into ${rows} (config_id, ${at}, rx, tx, opening_rx, opening_tx)
        select config_id, ${to}, sum(rx), sum(tx), min(opening_rx), min(opening_tx) from ${rows} as ahead
        where ${at} > ${last} group by config_id
      on conflict (config_id, ${at}) do update set rx = ${rows}.rx + excluded.rx, tx = ${rows}.tx + excluded.tx`.execute(
      tx,
    );
    await sql`delete from ${rows} where ${at} > ${last}`.execute(tx);
    await sql`
      insert into ${club} (${at}, rx, tx)
        select ${to}, coalesce(sum(rx), 0), coalesce(sum(tx), 0) from ${club} as ahead where ${at} > ${last}
      on conflict (${at}) do update set rx = ${club}.rx + excluded.rx, tx = ${club}.tx + excluded.tx`.execute(tx);
    await sql`delete from ${club} where ${at} > ${last}`.execute(tx);
    await sql`update traffic_counters set ${used} = ${to} where ${used} > ${last}`.execute(tx);
  }
  return here;
}

/**
 * A subquery: each config's use in one hour or day, `rx` and `tx`, with the previous one as `since`; null before the first stored
 * one.
 */
export function stepsAt(by: "hour" | "day", at: number | string) {
  const { rows } = by === "hour" ? SPANS[0] : SPANS[1];
  const [table, ref] = [sql.table(rows), sql.ref(by)];
  return sql`(select config_id, ${ref}, rx, tx,
    (select max(earlier.${ref}) from ${table} as earlier where earlier.config_id = used.config_id and earlier.${ref} < ${at}) as since
    from ${table} as used where ${ref} = ${at})`;
}
