import type { Contract } from "@krug/contract/api";
import { ENDING_NAMED, PULSE_MONTHS } from "@krug/contract/operation/pulse";
import { DAY_MS } from "@krug/domain/moment";
import { sql } from "kysely";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { seesVip } from "../../club/rights/index.ts";
import type { Settings } from "../../club/settings/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Payments } from "../../money/payments/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Traffic } from "../../vpn/traffic/index.ts";
import { makeTrafficOfSpan } from "../statistics/index.ts";

const WEEK_MS = 7 * DAY_MS;

interface Parts extends Platform {
  settings: Settings;
  members: Members;
  configs: Configs;
  traffic: Traffic;
  payments: Payments;
}

/** For the first screen of the administration area, next to the alarms: who ends soon, and how the club is doing. */
export function makePulseRoutes(parts: Parts): Handlers<Contract["pulse"]> {
  const { db, clock, clubTime, settings, members, configs, payments } = parts;
  const trafficOf = makeTrafficOfSpan(parts);

  const endingSoon = async (withVip: boolean) => {
    const ends = { how: "soon" as const, now: clock.now().getTime(), graceHours: (await settings.read(db)).graceHours };
    const sought = { text: undefined, state: "active" as const, withVip, ends };
    const [count, { rows }] = await Promise.all([
      members.count(db, sought),
      members.search(db, sought, { sort: "subscription", limit: ENDING_NAMED }),
    ]);
    return {
      count,
      members: rows.map(({ id, username, display_name: displayName, subscription_end }) => ({
        id,
        username,
        displayName,
        subscriptionEnd: clubTime.write(subscription_end) ?? "",
      })),
    };
  };

  const membership = async (withVip: boolean) => {
    const until = clock.now().getTime();
    const [{ all, active }, { joined }] = await Promise.all([
      members.counts(db, { text: undefined, withVip }),
      members.countsOfSpan(db, { from: until - WEEK_MS, until: until + 1, withVip }),
    ]);
    return { all, active, joined };
  };

  const devices = async (withVip: boolean) => {
    const [all, online] = await Promise.all([
      configs.list.count(db, { filter: "all", withVip }),
      configs.list.countByInterface(db, { filter: "online", withVip }),
    ]);
    return { all, online: [...online.values()].reduce((sum, count) => sum + count, 0) };
  };

  const traffic = async (withVip: boolean) => {
    const hidden = withVip ? null : sql`(${configs.idsOwnedBy(db, members.vipIds(db))})`;
    const { zone, received, sent, steps } = await trafficOf({ span: "day" }, { hidden });
    return { zone, received, sent, steps };
  };

  return {
    async read({ actor, query }) {
      const withVip = seesVip(actor, query.as);
      const [ending, all, connected, used, revenue] = await Promise.all([
        endingSoon(withVip),
        membership(withVip),
        devices(withVip),
        traffic(withVip),
        payments.cameInLately(PULSE_MONTHS, withVip),
      ]);
      return { ending, members: all, devices: connected, traffic: used, revenue };
    },
  };
}
