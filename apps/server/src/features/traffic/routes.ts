import type { Contract } from "@krug/contract/api";
import type { DayOfTrafficAnswer } from "@krug/contract/traffic";
import { daysUpTo } from "@krug/domain/traffic";
import type { Clock } from "../../platform/clock.ts";
import type { ClubTime } from "../../platform/club-time.ts";
import type { Db } from "../../platform/database/database.ts";
import { groupBy } from "../../platform/group-by.ts";
import type { Handlers } from "../../platform/http/call.ts";
import * as repository from "./repository.ts";
import type { TrafficTables } from "./table.ts";

/** `configsOf` answers the ids of a member's configs. */
export function makeTrafficRoutes(
  { db, clock, clubTime }: { db: Db; clock: Clock; clubTime: ClubTime },
  configsOf: (memberId: string) => Promise<string[]>,
): Handlers<Contract["traffic"]> {
  return {
    async own({ actor, query }) {
      const days = daysUpTo(clubTime.dayOf(clock.now().getTime()), query.days);
      const from = days[0] ?? "";
      const rows = await repository.daysSince(db, await configsOf(actor.memberId), from);
      const byConfig = groupBy(rows, (row) => row.config_id);
      return {
        from,
        to: days.at(-1) ?? "",
        configs: [...byConfig].map(([id, ofConfig]) => ({ id, days: ofConfig.map(toDay) })),
      };
    },
  };
}

/** As the device sees it: the server's tx is what the device received (decisions, section 6). */
export const toDay = ({ day, rx, tx }: TrafficTables["traffic_daily"]): DayOfTrafficAnswer => ({
  day,
  received: tx,
  sent: rx,
});
