import { isoOf } from "@krug/domain/moment";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** A list in an answer has at most this many rows (decisions, section 13). */
const MOST_CONFIGS = 1_000;
const MOST_DAYS = 20_000;

/** A member's configs for their data export, deleted ones too, with their traffic and without secret keys. */
export const makeOwnConfigs =
  ({ db, interfaces, catalog, traffic }: ConfigParts) =>
  async (memberId: string) => {
    const rows = await repository.everOf(db, memberId, MOST_CONFIGS);
    const ids = rows.map((row) => row.id);
    const places = await interfaces.places(db);
    const services = new Map((await catalog.services(db)).map((service) => [service.id, service.name]));
    const resolvers = new Map((await catalog.dns(db)).map((entry) => [entry.id, entry.name]));
    const chosen = await repository.servicesOf(db, ids);
    const statsOf = await traffic.statsOf(db, ids);
    const daysOf = await traffic.latestDays(db, ids, MOST_DAYS);
    return rows.map((row) => {
      const { lastHandshake, dataReceived, dataSent } = statsOf(row.id);
      const isGone = row.address === "";
      return {
        id: row.id,
        name: row.name,
        deviceType: row.device_type,
        createdAt: isoOf(row.created_at),
        deletedAt: isoOf(row.deleted_at),
        worksUntil: isoOf(row.ends_at),
        switchedOffUnseenAt: row.has_ended === 1 ? null : isoOf(row.dormant_since),
        server: places.get(row.interface_id)?.server.name ?? null,
        address: isGone ? null : row.address,
        addressV6: row.address_v6,
        publicKey: isGone ? null : row.public_key,
        services: (chosen.get(row.id) ?? []).flatMap((id) => services.get(id) ?? []),
        dns: resolvers.get(row.dns_id) ?? null,
        lastHandshakeAt: isoOf(lastHandshake),
        bytesReceived: dataReceived,
        bytesSent: dataSent,
        traffic: daysOf(row.id),
      };
    });
  };
