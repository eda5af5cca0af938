import type { ConfigAnswer } from "@krug/contract/vpn/configs";
import { isPeerWanted } from "@krug/domain/config-rules";
import { daysUntilOff, keptUntil } from "@krug/domain/dormancy";
import { entitlement } from "@krug/domain/entitlement";
import { isoOf } from "@krug/domain/moment";
import { fitsDevice } from "@krug/domain/phone-limit";
import type { ClubTime } from "../../../platform/club-time.ts";
import { chunks } from "../../../platform/database/chunks.ts";
import type { Db } from "../../../platform/database/database.ts";
import { answeredWhileSame } from "../../../platform/database/while-unchanged.ts";
import { type MemberRow, standingOf } from "../../members/members/index.ts";
import { type Place, tunnelOf } from "../interfaces/index.ts";
import { toldAmong } from "./dormant-repository.ts";
import type { makeLiveStats } from "./live-stats.ts";
import type { ConfigParts } from "./parts.ts";
import { keptOf } from "./places.ts";
import * as repository from "./repository.ts";
import type { ShownConfig } from "./table.ts";

export const isWanted = (
  row: Pick<ShownConfig, "deleted_at" | "is_blocked" | "dormant_since">,
  place: Place | undefined,
  ownerIsEntitled: boolean,
) =>
  isPeerWanted({
    isOwnerEntitled: ownerIsEntitled,
    isDeleted: row.deleted_at !== null,
    isBlocked: row.is_blocked === 1,
    isDormant: row.dormant_since !== null,
    isInterfaceActive: place?.interface.is_active === 1,
  });

/** As the contract writes it. */
const dormantOf = ({ dormant_since: since }: Pick<ShownConfig, "dormant_since">): ConfigAnswer["dormant"] =>
  since === null ? null : { since: isoOf(since), keptUntil: isoOf(keptUntil(since)) };

/** As the contract writes it. */
const endOf = (
  { ends_at: at, ends_by, has_ended }: Pick<ShownConfig, "ends_at" | "ends_by" | "has_ended">,
  { write }: ClubTime,
): ConfigAnswer["ends"] => (at === null ? null : { at: write(at), isOver: has_ended === 1, byStaff: ends_by !== null });

/** Since when the place's server has not answered, as the contract writes it. */
export const awaySince = (place: Place | undefined): string | null => {
  const since = place?.server.unreachable_since ?? null;
  return isoOf(since);
};

/** Rows as the contract answers them, with a fixed number of queries. `owner`: the owner of all of them. */
export function makeDescribe(
  parts: Pick<
    ConfigParts,
    "interfaces" | "members" | "catalog" | "traffic" | "exits" | "clock" | "clubTime" | "settings"
  >,
) {
  const { interfaces, members, catalog, traffic, exits, clock, clubTime, settings } = parts;
  /** The day, `YYYY-MM-DD`, on which each of these is switched off at the earliest; absent if none is planned. */
  const offDays = async (db: Db, ids: readonly string[]) => {
    const found = new Map<string, string>();
    const { dormantAfterDays: offAfter } = await settings.read(db);
    if (offAfter === 0) return found;
    const now = clock.now().getTime();
    const today = clubTime.dayOf(now);
    for (const some of chunks(ids))
      for (const { config_id, day, ...unseen } of await toldAmong(db, some)) {
        const left = daysUntilOff(unseen, offAfter, day === today);
        if (left !== null) found.set(config_id, clubTime.dayOf(now, Math.max(0, left)));
      }
    return found;
  };
  return async (db: Db, rows: readonly ShownConfig[], owner?: MemberRow): Promise<ConfigAnswer[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.id);
    const places = await interfaces.knownPlaces(db);
    const entitlements =
      owner === undefined
        ? await members.entitlements(db, [...new Set(rows.map((row) => row.member_id))])
        : new Map([[owner.id, await members.entitlementOf(db, owner)]]);
    const chosen = await repository.servicesOf(db, ids);
    const statsOf = await traffic.statsOf(db, ids);
    const services = new Map((await catalog.services(db)).map((service) => [service.id, service]));
    const moving = rows.filter((row) => row.moves_until !== null).map((row) => row.id);
    const offOn = await offDays(db, ids);
    const isRouted = rows.some((row) => places.get(row.interface_id)?.interface.routing === "server");
    const exitsNow = isRouted ? await exits.now(db) : null;
    const exitsDown = (place: Place | undefined, ids: readonly string[]) => {
      if (place?.interface.routing !== "server" || exitsNow === null) return [];
      const named = [...ids.flatMap((id) => services.get(id)?.exit ?? []), place.interface.rest_exit];
      return exitsNow.downAmong(place.server.id, named, place.interface.exit_down);
    };
    const leaves = moving.length === 0 ? null : await keptOf(db, moving);
    return rows.map((row) => {
      const place = places.get(row.interface_id);
      const serviceIds = chosen.get(row.id) ?? [];
      const wanted = isWanted(row, place, entitlements.get(row.member_id)?.allowed === true);
      const state = !wanted ? "off" : row.on_wire === 1 ? "applied" : "pending";
      const stats = statsOf(row.id);
      const left = leaves?.get(row.id);
      const leftPlace = left && places.get(left.interface_id);
      const createdAt = isoOf(row.created_at);
      const serverAwaySince = awaySince(place);
      return {
        id: row.id,
        userId: row.member_id,
        name: row.name,
        deviceType: row.device_type,
        device_type: row.device_type,
        createdAt,
        created_at: createdAt,
        services: serviceIds,
        dns: row.dns_id,
        interfaceId: row.interface_id,
        serverId: place?.server.id ?? row.interface_id,
        serverName: place?.server.name ?? "",
        tunnel: tunnelOf(place?.interface),
        keyOrigin: row.sealed_private_key === null ? "browser" : "panel",
        isBlocked: row.is_blocked === 1,
        dormant: dormantOf(row),
        dormantFrom: row.dormant_since === null ? (offOn.get(row.id) ?? null) : null,
        ends: endOf(row, clubTime),
        madeByStaff: row.made_by !== null,
        state,
        pendingSince: state === "pending" ? serverAwaySince : null,
        serverAwaySince,
        needsDownload: row.is_stale === 1,
        moving:
          row.moves_until === null || leftPlace === undefined
            ? null
            : {
                until: isoOf(row.moves_until),
                interfaceId: leftPlace.interface.id,
                interfaceName: leftPlace.interface.name,
                serverName: leftPlace.server.name,
              },
        routing: place?.interface.routing ?? "device",
        exitsDown: exitsDown(place, serviceIds),
        overPhoneLimit: !fitsDevice(
          { deviceType: row.device_type, routing: place?.interface.routing },
          serviceIds.flatMap((id) => services.get(id) ?? []),
        ),
        stats,
        wireguardClient: {
          last_handshake: stats.lastHandshake,
          data_received: stats.dataReceived,
          data_sent: stats.dataSent,
        },
      };
    });
  };
}

/** A member's own configs, the same list while nothing that it says has changed. */
export function makeDescribeOwn(
  parts: Parameters<typeof makeDescribe>[0] & Pick<ReturnType<typeof makeLiveStats>, "areRead">,
  describe: ReturnType<typeof makeDescribe>,
) {
  const { interfaces, catalog, clock, clubTime, settings, areRead } = parts;
  const whileSame = answeredWhileSame<ConfigAnswer[]>();
  return async (db: Db, rows: readonly ShownConfig[], owner: MemberRow): Promise<ConfigAnswer[]> => {
    const club = await settings.read(db);
    const places = await interfaces.knownPlaces(db);
    await catalog.services(db);
    // All that the clock decides in it.
    const byClock = (now: Date) => {
      const { allowed } = entitlement(standingOf(owner, club), now);
      return [allowed, club.dormantAfterDays === 0 ? null : clubTime.dayOf(now.getTime())];
    };
    const areLatest = () => (settings.latest() === club && interfaces.latestPlaces() === places) || undefined;
    const inMemory = () => [areLatest(), club, places, catalog.latestServices(), clubTime.zone()];
    const besides = () => [rows, owner, ...inMemory(), ...byClock(clock.now())];
    return whileSame(db, { key: owner.id, besides, nothingDue: areRead(rows, places) }, () =>
      describe(db, rows, owner),
    );
  };
}
