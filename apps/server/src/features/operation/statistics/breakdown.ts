import { type Expression, type RawBuilder, sql } from "kysely";
import type { Db } from "../../../platform/database/database.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Range, Traffic } from "../../vpn/traffic/index.ts";
import type { Kind } from "./table.ts";

/** Traffic, and how many configs used it. */
export interface Use {
  key: string;
  configs: number;
  rx: number;
  tx: number;
}

interface Sources {
  configs: Configs;
  traffic: Traffic;
  /** Ids of members who must not be counted; null: count everyone. */
  hidden: Expression<{ id: string }> | null;
}

/** Who used a range, the heaviest first: the roll-ups minus hidden members' part. */
export async function breakDown(db: Db, range: Range, sources: Sources): Promise<Record<Kind, Use[]>> {
  const name = range.by === "hour" ? "statistics_hourly" : "statistics_daily";
  const [sums, came, at] = [sql.table(name), sql.table(`${name}_came`), sql.ref(range.by)];
  const within = sql`${at} >= ${range.first} and ${at} <= ${range.last}`;
  const parts = sources.configs.kinds(db).map(
    (kind) => sql`
      select of_kind.kind, of_kind.key, -1, -hidden.rx, -hidden.tx
      from hidden cross join (${kind}) as of_kind where of_kind.config_id = hidden.config_id`,
  );
  // One statement, so all parts are of one moment and nothing hidden shows between two readings.
  const { rows } = await sql<Use & { kind: Kind }>`
    with hidden as materialized (${hiddenUse(db, range, sources)})
    select kind, key, sum(configs) as configs, sum(rx) as rx, sum(tx) as tx from (
      select kind, key, 0 as configs, rx, tx from ${sums} where ${within}
      union all
      select came.kind, came.key, came.configs, 0, 0
      from (select distinct ${at} as step from ${sums} where ${within}) as steps cross join ${came} as came
      where came.${at} = steps.step and came.since < ${range.first}
      union all
      ${sql.join(parts, sql` union all `)}
    ) as parts group by kind, key having sum(configs) > 0`.execute(db);
  const uses = rows
    .map(({ kind, key, configs, rx, tx }) => ({ kind, key, configs: Number(configs), rx: Number(rx), tx: Number(tx) }))
    .toSorted(theMostFirst);
  const of = (wanted: Kind) => uses.filter(({ kind }) => kind === wanted);
  return { interface: of("interface"), device: of("device"), service: of("service") };
}

/** The use by hidden members' configs; zero if nobody is hidden. */
function hiddenUse(db: Db, range: Range, { configs, traffic, hidden }: Sources): RawBuilder<unknown> {
  const ids = hidden === null ? sql`(null)` : sql`(${configs.idsOwnedBy(db, hidden)})`;
  return sql`select config_id, rx, tx from ${traffic.usedIn(range, ids)} as used`;
}

/** What each of these members used in a range; absent if nothing. */
export async function usedBy(
  db: Db,
  range: Range,
  memberIds: readonly string[],
  { configs, traffic }: Pick<Sources, "configs" | "traffic">,
): Promise<Use[]> {
  const owned = sql`(${configs.idsOwnedBy(db, sql`${sql.join(memberIds)}`)})`;
  const { rows } = await sql<Use>`
    select owned.member_id as key, count(*) as configs, sum(used.rx) as rx, sum(used.tx) as tx
    from ${traffic.usedIn(range, owned)} as used cross join (${configs.owners(db)}) as owned
    where owned.id = used.config_id group by owned.member_id`.execute(db);
  return rows.map(({ key, configs, rx, tx }) => ({ key, configs: Number(configs), rx: Number(rx), tx: Number(tx) }));
}

export const theMostFirst = (a: Use, b: Use) => b.rx + b.tx - (a.rx + a.tx) || (a.key < b.key ? -1 : 1);
