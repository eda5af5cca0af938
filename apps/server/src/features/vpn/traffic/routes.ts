import type { Contract } from "@krug/contract/api";
import { daysUpTo } from "@krug/domain/traffic";
import { groupBy } from "../../../platform/group-by.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Auth } from "../../access/auth/index.ts";
import type { Members } from "../../members/members/index.ts";
import * as repository from "./repository.ts";
import { toDay } from "./to-day.ts";

interface Parts extends Platform {
  configs: { idsOf(memberId: string): Promise<string[]> };
  auth: Pick<Auth, "memberOf">;
  members: Pick<Members, "quotas">;
}

export function makeTrafficRoutes({
  db,
  clock,
  clubTime,
  configs,
  auth,
  members,
}: Parts): Handlers<Contract["traffic"]> {
  return {
    ownQuota: ({ actor }) => members.quotas.of(db, auth.memberOf(actor)),

    async own({ actor, query }) {
      const days = daysUpTo(clubTime.dayOf(clock.now().getTime()), query.days);
      const from = days[0] ?? "";
      const rows = await repository.daysSince(db, await configs.idsOf(actor.memberId), from);
      const byConfig = groupBy(rows, (row) => row.config_id);
      return {
        from,
        to: days.at(-1) ?? "",
        configs: [...byConfig].map(([id, ofConfig]) => ({ id, days: ofConfig.map(toDay) })),
      };
    },
  };
}
