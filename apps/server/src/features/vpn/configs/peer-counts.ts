import { type Expression, sql } from "kysely";
import type { Db } from "../../../platform/database/database.ts";
import { IS_KEPT_PLACE, IS_ON } from "./repository.ts";

/** For one interface, as if it were active. */
export interface PeerCount {
  /** Recorded as on the machine. */
  noted: number;
  /** Should be there but are not recorded. */
  missing: number;
  /** Are recorded but should not be there. */
  extra: number;
}

/**
 * By interface id; an interface without any is absent. Nearly every peer is as it should be, so the statement looks for the
 * exceptions, along indexes: comparing 300,000 configs with their owners one by one would block the panel for a second. Grouping
 * these parts directly would make SQLite use the index of the interfaces instead.
 */
export async function peerCounts(
  db: Db,
  { entitled, unentitled }: { entitled: Expression<{ id: string }>; unentitled: Expression<{ id: string }> },
): Promise<Map<string, PeerCount>> {
  const isEntitled = sql`exists (select 1 from (${entitled}) as entitled where entitled.id = configs.member_id)`;
  const isWanted = sql`(${IS_ON} and ${isEntitled})`;
  const { rows } = await sql<{ interface_id: string } & PeerCount>`
    select interface_id, sum(noted) as noted, sum(missing) as missing, sum(extra) as extra from (
      select interface_id, count(*) as noted, 0 as missing, 0 as extra from configs
        where deleted_at is null and on_wire = 1 group by interface_id
      union all select interface_id, 0, 1, 0 from configs
        where deleted_at is null and on_wire = 0 and is_blocked = 0 and dormant_since is null and ${isEntitled}
      union all select interface_id, 0, 0, 1 from configs
        where deleted_at is null and on_wire = 1 and member_id in (${unentitled})
      union all select interface_id, 0, 0, 1 from configs
        where deleted_at is null and on_wire = 1 and is_blocked = 1 and ${isEntitled}
      union all select interface_id, 0, 0, 1 from configs
        where deleted_at is null and on_wire = 1 and is_blocked = 0 and dormant_since is not null and ${isEntitled}
      union all select interface_id, on_wire, case when on_wire = 0 and ${isWanted} then 1 else 0 end,
          case when on_wire = 1 and not ${isWanted} then 1 else 0 end
        from configs where ${IS_KEPT_PLACE}
      union all select interface_id, 1, 0, 1 from configs
        where deleted_at is not null and on_wire = 1 and not ${IS_KEPT_PLACE}
    ) as found group by interface_id`.execute(db);
  return new Map(
    rows.map(({ interface_id, noted, missing, extra }) => [
      interface_id,
      { noted: Number(noted), missing: Number(missing), extra: Number(extra) },
    ]),
  );
}
