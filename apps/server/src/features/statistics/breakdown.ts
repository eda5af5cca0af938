import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";

interface Sum {
  configs: number;
  rx: number;
  tx: number;
}

export interface Breakdown {
  all: Sum;
  /** By id; who used the most first, as many as asked for. */
  members: (Sum & { key: string })[];
  services: (Sum & { key: string })[];
  interfaces: (Sum & { key: string })[];
  devices: (Sum & { key: string })[];
}

interface Sources {
  /** `config_id`, `rx`, `tx` of what was used. */
  used: RawBuilder<unknown>;
  /** `id`, `member_id`, `interface_id`, `device_type` of all configs, deleted ones too. */
  configs: RawBuilder<unknown>;
  /** `config_id`, `service_id` of the living. */
  services: RawBuilder<unknown>;
  /** Ids of members who may be named. */
  nameable: RawBuilder<unknown>;
  /** Ids of members of whom nothing is to be counted; null: of everyone. */
  hidden: RawBuilder<unknown> | null;
}

/** Who and what used it: each config is looked at once, whatever it is summed up by. */
export async function breakDown(db: Db, sources: Sources, limit: number): Promise<Breakdown> {
  const { used, configs, services, nameable, hidden } = sources;
  const seen = hidden === null ? sql`` : sql`where owned.member_id not in ${hidden}`;
  const sums = sql`count(*) as configs, sum(rx) as rx, sum(tx) as tx`;
  const found = await sql<{ kind: keyof Breakdown; key: string | null; configs: number; rx: number; tx: number }>`
    with used as materialized (
      select owned.id, owned.member_id, owned.interface_id, owned.device_type, spent.rx, spent.tx
      from ${used} as spent join ${configs} as owned on owned.id = spent.config_id ${seen}
    )
    select 'all' as kind, null as key, ${sums} from used
    union all select 'interfaces' as kind, interface_id as key, ${sums} from used group by interface_id
    union all select 'devices' as kind, device_type as key, ${sums} from used group by device_type
    union all select 'services' as kind, chosen.service_id as key, ${sums}
      from used join ${services} as chosen on chosen.config_id = used.id group by chosen.service_id
    union all select * from (
      select 'members' as kind, member_id as key, ${sums} from used where member_id in ${nameable}
      group by member_id order by sum(rx + tx) desc, member_id limit ${limit}
    ) as most`.execute(db);
  const rows = found.rows
    .map(({ kind, key, configs, rx, tx }) => ({
      kind,
      key: key ?? "",
      configs: Number(configs),
      rx: Number(rx ?? 0),
      tx: Number(tx ?? 0),
    }))
    .sort((a, b) => b.rx + b.tx - (a.rx + a.tx) || (a.key < b.key ? -1 : 1));
  const of = (wanted: keyof Breakdown) => rows.filter(({ kind }) => kind === wanted);
  return {
    all: of("all")[0] ?? { configs: 0, rx: 0, tx: 0 },
    members: of("members"),
    services: of("services"),
    interfaces: of("interfaces"),
    devices: of("devices"),
  };
}
