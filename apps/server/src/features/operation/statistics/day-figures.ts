import { DAY_MS } from "@krug/domain/moment";
import type { DayFigures } from "@krug/domain/notices";
import type { Platform } from "../../../platform/platform.ts";
import type { Members } from "../../members/members/index.ts";
import type { Support } from "../../messages/support/index.ts";
import type { Payments } from "../../money/payments/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Servers } from "../../vpn/servers/index.ts";
import type { Traffic } from "../../vpn/traffic/index.ts";
import { breakDown } from "./breakdown.ts";

const SOON_MS = 3 * DAY_MS;

interface Parts extends Platform {
  members: Members;
  servers: Servers;
  configs: Configs;
  traffic: Traffic;
  payments: Payments;
  support: Support;
}

/** The club's yesterday, and what waits for staff now; a moderator's figures exclude VIP members. */
export function makeDayFigures({ db, clock, clubTime, members, servers, configs, traffic, payments, support }: Parts) {
  return async (reader: { memberId: string; withVip: boolean }): Promise<DayFigures> => {
    const { withVip } = reader;
    const now = clock.now().getTime();
    const until = clubTime.startOfDay(now);
    const from = clubTime.startOfDay(until - 1);
    const day = clubTime.dayOf(from);
    const { joined, ended } = await members.countsOfSpan(db, { from, until, withVip });
    const soon = await members.countsOfSpan(db, { from: now, until: now + SOON_MS, withVip });
    const used = await breakDown(
      db,
      { by: "day", first: day, last: day },
      { configs, traffic, hidden: withVip ? null : members.vipIds(db) },
    );
    return {
      day,
      joined,
      ended,
      ending: soon.ended,
      devices: used.device.reduce((sum, { configs: count }) => sum + count, 0),
      bytes: used.device.reduce((sum, { rx, tx }) => sum + rx + tx, 0),
      ...(await payments.ofSpan({ from, until, withVip })),
      ...(await support.waiting(db, reader)),
      servers: (await servers.all(db))
        .filter(({ unreachable_since }) => unreachable_since !== null)
        .map(({ name }) => name)
        .sort(),
    };
  };
}
