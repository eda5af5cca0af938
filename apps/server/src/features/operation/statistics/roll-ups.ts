import { HOUR_MS } from "@krug/domain/moment";
import { type RawBuilder, sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import { type Configs, configMoved, configServicesChanged } from "../../vpn/configs/index.ts";
import {
  type Counted,
  type Traffic,
  trafficBroughtBack,
  trafficCounted,
  trafficForgotten,
} from "../../vpn/traffic/index.ts";
import type { Kind, StatisticsTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<StatisticsTables>();

/** Longer than any hourly span: after a longer absence a config had no use within any of them. */
const LONGEST_HOURS_MS = 72 * HOUR_MS;

/** Updates the sums in the transaction of their traffic. */
export function keepRollUps({ events, configs, traffic }: { events: Events; configs: Configs; traffic: Traffic }) {
  events.on(trafficCounted, async (tx, counted) => {
    const used = counted.filter(({ rx, tx: sent }) => rx > 0 || sent > 0);
    const kinds = await kindsOf(
      tx,
      configs,
      used.map(({ configId }) => configId),
    );
    const sums = new Map<string, Sums>();
    for (const config of used)
      for (const { kind, key } of kinds.get(config.configId) ?? []) {
        add(sums, { by: "hour", ...config.hour, kind, key }, config);
        add(sums, { by: "day", ...config.day, kind, key }, config);
      }
    // In one order, so that two panels counting at once do not deadlock.
    const inOrder = [...sums.keys()].toSorted().flatMap((name) => sums.get(name) ?? []);
    for (const by of ["hour", "day"] as const)
      await write(
        tx,
        by,
        inOrder.filter((sum) => sum.by === by),
      );
  });

  const movePast = async (
    tx: Tx,
    kind: Kind,
    { configId, removed, added }: { configId: string; removed: readonly string[]; added: readonly string[] },
  ) => {
    const moved = [...added.map((key) => ({ key, sign: 1 })), ...removed.map((key) => ({ key, sign: -1 }))];
    if (moved.length > 0)
      for (const by of ["hour", "day"] as const) await move(tx, by, traffic.stepsOf(by, configId), kind, moved);
  };
  events.on(configServicesChanged, (tx, change) => movePast(tx, "service", change));
  events.on(configMoved, (tx, { configId, from, to }) =>
    movePast(tx, "interface", { configId, removed: [from], added: [to] }),
  );

  events.on(trafficBroughtBack, async (tx, here) => {
    for (const by of ["hour", "day"] as const) {
      const [at, name] = [sql.ref(by), namesOf(by)];
      // Recalculates this hour and day, with those of the configs that came back to them.
      for (const table of [name, `${name}_came`])
        await sql`delete from ${sql.table(table)} where ${at} >= ${here[by]}`.execute(tx);
      const steps = traffic.stepsAt(by, here[by]);
      for (const kind of configs.kinds(tx)) {
        const from = sql`from ${steps} as steps join (${kind}) as of_kind on of_kind.config_id = steps.config_id where true`;
        await sql`
          insert into ${sql.table(name)} (${at}, kind, key, rx, tx)
            select steps.${at}, of_kind.kind, of_kind.key, sum(steps.rx), sum(steps.tx) ${from} group by 1, 2, 3
          on conflict (${at}, kind, key) do update set
            rx = ${sql.table(name)}.rx + excluded.rx, tx = ${sql.table(name)}.tx + excluded.tx`.execute(tx);
        await sql`
          insert into ${sql.table(`${name}_came`)} (${at}, since, kind, key, configs)
            select steps.${at}, ${sinceOf(by)}, of_kind.kind, of_kind.key, count(*) ${from} group by 1, 2, 3, 4
          on conflict (${at}, since, kind, key) do update set
            configs = ${sql.table(`${name}_came`)}.configs + excluded.configs`.execute(tx);
      }
    }
  });

  events.on(trafficForgotten, async (tx, { hour, day }) => {
    await tables(tx).deleteFrom("statistics_hourly").where("hour", "<", hour).execute();
    await tables(tx).deleteFrom("statistics_hourly_came").where("hour", "<", hour).execute();
    await tables(tx).deleteFrom("statistics_daily").where("day", "<", day).execute();
    await tables(tx).deleteFrom("statistics_daily_came").where("day", "<", day).execute();
  });
}

const namesOf = (by: "hour" | "day") => (by === "hour" ? "statistics_hourly" : "statistics_daily");
/** From `steps`: the previous hour or day, as the sums store it. */
const sinceOf = (by: "hour" | "day") =>
  by === "hour"
    ? sql`case when steps.since >= steps.hour - ${sql.lit(LONGEST_HOURS_MS)} then steps.since else 0 end`
    : sql`coalesce(steps.since, '')`;

type Bucket = { kind: Kind; key: string } & ({ by: "hour"; at: number } | { by: "day"; at: string });
type Sums = Bucket & { rx: number; tx: number; came: Map<number | string, number> };

function add(sums: Map<string, Sums>, { before, ...place }: Bucket & { before: number | string }, used: Counted): void {
  const name = JSON.stringify([place.by, place.at, place.kind, place.key]);
  const sum = sums.get(name) ?? { ...place, rx: 0, tx: 0, came: new Map() };
  sum.rx += used.rx;
  sum.tx += used.tx;
  if (before !== place.at) {
    const since = typeof place.at === "number" && Number(before) < place.at - LONGEST_HOURS_MS ? 0 : before;
    sum.came.set(since, (sum.came.get(since) ?? 0) + 1);
  }
  sums.set(name, sum);
}

async function write(tx: Tx, by: "hour" | "day", sums: readonly Sums[]): Promise<void> {
  const [at, name] = [sql.ref(by), namesOf(by)];
  for (const some of chunks(sums)) {
    const rows = some.map((sum) => sql`(${sum.at}, ${sum.kind}, ${sum.key}, ${sum.rx}, ${sum.tx})`);
    await sql`
      insert into ${sql.table(name)} (${at}, kind, key, rx, tx) values ${sql.join(rows)}
      on conflict (${at}, kind, key) do update set
        rx = ${sql.table(name)}.rx + excluded.rx, tx = ${sql.table(name)}.tx + excluded.tx`.execute(tx);
  }
  const came = sums.flatMap(({ came, ...sum }) =>
    [...came].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([since, configs]) => ({ ...sum, since, configs })),
  );
  for (const some of chunks(came)) {
    const rows = some.map((row) => sql`(${row.at}, ${row.since}, ${row.kind}, ${row.key}, ${row.configs})`);
    await sql`
      insert into ${sql.table(`${name}_came`)} (${at}, since, kind, key, configs) values ${sql.join(rows)}
      on conflict (${at}, since, kind, key) do update set
        configs = ${sql.table(`${name}_came`)}.configs + excluded.configs`.execute(tx);
  }
}

/** The sums file a config's whole usage under its current services and interface: its past moves with it. */
async function move(
  tx: Tx,
  by: "hour" | "day",
  steps: RawBuilder<unknown>,
  kind: Kind,
  keys: readonly { key: string; sign: number }[],
): Promise<void> {
  const [at, name] = [sql.ref(by), namesOf(by)];
  const since = sinceOf(by);
  const moved = sql.join(
    keys.map(({ key, sign }) => sql`select ${sql.lit(key)} as key, ${sql.lit(sign)} as sign`),
    sql` union all `,
  );
  const from = sql`from ${steps} as steps cross join (${moved}) as moved where moved.sign <> 0 order by steps.${at}, moved.key`;
  await sql`
    insert into ${sql.table(name)} (${at}, kind, key, rx, tx)
      select steps.${at}, ${sql.lit(kind)}, moved.key, steps.rx * moved.sign, steps.tx * moved.sign ${from}
    on conflict (${at}, kind, key) do update set
      rx = ${sql.table(name)}.rx + excluded.rx, tx = ${sql.table(name)}.tx + excluded.tx`.execute(tx);
  await sql`
    insert into ${sql.table(`${name}_came`)} (${at}, since, kind, key, configs)
      select steps.${at}, ${since}, ${sql.lit(kind)}, moved.key, moved.sign ${from}
    on conflict (${at}, since, kind, key) do update set
      configs = ${sql.table(`${name}_came`)}.configs + excluded.configs`.execute(tx);
}

async function kindsOf(
  tx: Tx,
  configs: Configs,
  ids: readonly string[],
): Promise<Map<string, Pick<Bucket, "kind" | "key">[]>> {
  const found = new Map<string, Pick<Bucket, "kind" | "key">[]>();
  for (const some of chunks(ids)) {
    const ofSome = configs
      .kinds(tx)
      .map((kind) => sql`select config_id, kind, key from (${kind}) as of_kind where config_id in (${sql.join(some)})`);
    const { rows } = await sql<{
      config_id: string;
      kind: Kind;
      key: string;
    }>`${sql.join(ofSome, sql` union all `)}`.execute(tx);
    for (const { config_id, kind, key } of rows) {
      const of = found.get(config_id) ?? [];
      of.push({ kind, key });
      found.set(config_id, of);
    }
  }
  return found;
}
