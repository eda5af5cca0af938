import type { Contract } from "@krug/contract/api";
import { DAY_MS, isoOf } from "@krug/domain/moment";
import { daysBetween } from "@krug/domain/traffic-span";
import { sql } from "kysely";
import type { Actor, Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isHidden, seesVip } from "../../club/rights/index.ts";
import { type Members, MONTH_DAYS, RECENT_DAYS, type Reach } from "../../members/members/index.ts";
import type { Catalog } from "../../vpn/catalog/index.ts";
import type { Configs } from "../../vpn/configs/index.ts";
import type { Interfaces } from "../../vpn/interfaces/index.ts";
import { type Servers, serverStatusOf } from "../../vpn/servers/index.ts";
import type { Range, Traffic } from "../../vpn/traffic/index.ts";
import { breakDown, type Use } from "./breakdown.ts";
import { heaviest } from "./heaviest.ts";
import { makeReadSpan, type ReadSpan } from "./span.ts";
import { asUsed, describeSpan, makeTrafficOfSpan } from "./traffic-of-span.ts";

const NEW_WITHIN_MS = 7 * DAY_MS;

interface Parts extends Platform {
  members: Members;
  servers: Servers;
  interfaces: Interfaces;
  catalog: Catalog;
  configs: Configs;
  traffic: Traffic;
}

/** Usage of the club's VPN for staff; a moderator's figures exclude VIP members. */
export function makeStatisticsRoutes(parts: Parts): Handlers<Contract["statistics"]> {
  const { db, clock, clubTime, members, servers, interfaces, catalog, configs, traffic } = parts;
  const readSpan = makeReadSpan(parts);
  const trafficOf = makeTrafficOfSpan(parts);
  const spanOf = (span: ReadSpan) => describeSpan(span, clubTime);

  /** The nearest reach that contains the whole range: its upper bound for a member's part is the tightest. */
  const reachOf = (range: Range): Reach => {
    const today = clubTime.dayOf(clock.now().getTime());
    const first = range.by === "day" ? range.first : clubTime.dayOf(range.first);
    const days = daysBetween(first, today);
    return days <= RECENT_DAYS ? "recent" : days <= MONTH_DAYS ? "month" : "life";
  };

  const whoseFor = async (
    actor: Actor,
    { member, as }: { member?: string | undefined; as?: "moderator" | undefined },
  ) => {
    if (member === undefined)
      return { hidden: seesVip(actor, as) ? null : sql`(${configs.idsOwnedBy(db, members.vipIds(db))})` };
    const row = await members.findByIdOrUsername(db, member);
    if (row === undefined || isHidden(actor, row, as)) return refuse("member.not_found");
    return { only: sql`(${configs.idsOfOwner(db, row.id)})` };
  };

  return {
    async now({ actor, query }) {
      const withVip = seesVip(actor, query.as);
      const madeSince = clock.now().getTime() - NEW_WITHIN_MS;
      const [all, newInWeek, online, pending] = await Promise.all([
        configs.list.count(db, { filter: "all", withVip }),
        configs.list.count(db, { filter: "all", withVip, madeSince }),
        configs.list.countByInterface(db, { filter: "online", withVip }),
        configs.list.countByInterface(db, { filter: "pending", withVip }),
      ]);
      const places = [...(await interfaces.places(db)).values()];
      const on = (serverId: string, counts: ReadonlyMap<string, number>) =>
        places
          .filter(({ server }) => server.id === serverId)
          .reduce((sum, place) => sum + (counts.get(place.interface.id) ?? 0), 0);
      const sumOf = (counts: ReadonlyMap<string, number>) =>
        [...counts.values()].reduce((sum, count) => sum + count, 0);
      return {
        configs: all,
        online: sumOf(online),
        newInWeek,
        pending: sumOf(pending),
        servers: (await servers.all(db)).map((server) => ({
          id: server.id,
          name: server.name,
          online: on(server.id, online),
          pending: on(server.id, pending),
          status: serverStatusOf(server, clock.now().getTime()),
          unreachableSince: isoOf(server.unreachable_since),
        })),
      };
    },

    traffic: async ({ actor, query }) => trafficOf(query, await whoseFor(actor, query)),

    async breakdown({ actor, query }) {
      const span = readSpan(query);
      const { range } = span;
      const withVip = seesVip(actor, query.as);
      const found = await breakDown(db, range, {
        configs,
        traffic,
        hidden: withVip ? null : members.vipIds(db),
      });
      const most = await heaviest(
        db,
        { range, reach: reachOf(range), withVip, limit: query.limit },
        { members, configs, traffic },
      );
      const names = new Map(
        (
          await members.byIds(
            db,
            most.map(({ key }) => key),
          )
        ).map((row) => [row.id, { id: row.id, username: row.username, displayName: row.display_name }]),
      );
      const services = new Map((await catalog.services(db)).map(({ id, name }) => [id, name]));
      const places = await interfaces.everWere(db);
      return {
        ...spanOf(span),
        ...asUsed(sumOf(found.interface)),
        members: most.flatMap(({ key, configs, ...used }) => {
          const member = names.get(key);
          return member === undefined ? [] : [{ member, configs, ...asUsed(used) }];
        }),
        services: found.service.flatMap(({ key, configs, ...used }) => {
          const name = services.get(key);
          return name === undefined ? [] : [{ id: key, name, configs, ...asUsed(used) }];
        }),
        interfaces: found.interface.flatMap(({ key, configs, ...used }) => {
          const place = places.get(key);
          return place === undefined ? [] : [{ id: key, ...place, configs, ...asUsed(used) }];
        }),
        devices: found.device.map(({ key, configs, ...used }) => ({
          deviceType: key === "phone" ? ("phone" as const) : ("computer" as const),
          configs,
          ...asUsed(used),
        })),
      };
    },
  };
}

const sumOf = (uses: readonly Use[]) => ({
  rx: uses.reduce((sum, { rx }) => sum + rx, 0),
  tx: uses.reduce((sum, { tx }) => sum + tx, 0),
});
