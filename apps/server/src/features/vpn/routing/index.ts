import type { DesiredAccess } from "../../../hosts/host.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type AccessRules, applyAccessRules } from "../access-rules/index.ts";
import { type Catalog, catalogChanged, exitChanged, namesChanged } from "../catalog/index.ts";
import { type Configs, configChoiceChanged } from "../configs/index.ts";
import { type Exits, exitsChanged } from "../exits/index.ts";
import { type Interfaces, interfaceChanged, type Place } from "../interfaces/index.ts";
import { laneOf, type ServerRow } from "../servers/index.ts";
import type { Sources } from "../sources/index.ts";
import { type RoutedDevice, routingBy } from "./desired.ts";
import * as repository from "./repository.ts";

export type Routing = ReturnType<typeof makeRouting>;

interface Parts extends Platform {
  interfaces: Interfaces;
  catalog: Catalog;
  configs: Configs;
  sources: Pick<Sources, "domains">;
  accessRules: Pick<AccessRules, "desiredOn" | "revision">;
  exits: Pick<Exits, "of" | "comingTo">;
}

/** What servers let members reach and, where they route, by which exit it leaves (decisions, section 16). */
export function makeRouting(parts: Parts) {
  const { events, jobs, interfaces, catalog, configs, sources, accessRules, exits } = parts;

  /** Has servers load what changed: those with an interface that routes and fits. */
  const spread = async (tx: Tx, fits: (place: Place) => boolean = () => true): Promise<void> => {
    const routed = [...(await interfaces.places(tx)).values()].filter((place) => isRouted(place) && fits(place));
    if (routed.length === 0) return;
    await repository.nextRevision(tx);
    for (const server of new Map(routed.map((place) => [place.server.id, place.server])).values())
      await jobs.enqueue(tx, applyAccessRules, {
        payload: { serverId: server.id },
        ...laneOf(server),
        unlessWaiting: true,
      });
  };
  events.on(catalogChanged, (tx) => spread(tx));
  events.on(exitChanged, (tx) => spread(tx));
  events.on(exitsChanged, (tx, { entryIds }) => spread(tx, (place) => entryIds.includes(place.server.id)));
  events.on(namesChanged, (tx) => spread(tx));
  events.on(configChoiceChanged, (tx, { interfaceIds }) =>
    spread(tx, (place) => interfaceIds.includes(place.interface.id)),
  );
  // Its server is compared as a whole anyway.
  events.on(interfaceChanged, (tx) => repository.nextRevision(tx));

  const routingOn = async (db: Db, server: ServerRow) => {
    const places = [...(await interfaces.placesOn(db, server)).values()].filter(isRouted);
    if (places.length === 0) return undefined;
    const ids = places.map((place) => place.interface.id);
    const ofInterface = new Map(places.map((place) => [place.interface.id, place.interface]));
    const rows = await configs.onInterfaces(db, ids);
    const chosen = await configs.servicesOf(db, [...new Set(rows.map((row) => row.place_of ?? row.id))]);
    const resolvers = new Map((await catalog.dns(db)).map(({ id, ips }) => [id, ips]));
    const deviceOf = (row: Address, serviceIds: readonly string[], dnsId: string | null): RoutedDevice => ({
      sources: [row.address, ...(row.address_v6 === null ? [] : [row.address_v6])],
      serviceIds,
      resolvers: (dnsId === null ? undefined : resolvers.get(dnsId)) ?? [],
      rest: ofInterface.get(row.interface_id)?.rest_exit ?? "closed",
      whenDown: ofInterface.get(row.interface_id)?.exit_down ?? "wait",
    });
    const devices = [
      ...rows.map((row) => deviceOf(row, chosen.get(row.place_of ?? row.id) ?? [], row.dns_id)),
      ...(await configs.unknownPeers.on(db, ids)).map((row) => deviceOf(row, [], null)),
    ];
    const names = places.map((place) => place.interface.interface_name);
    const domains = await sources.domains(db);
    const services = (await catalog.services(db)).map((service) => ({
      ...service,
      // Of everything but a list, names say what it is not.
      domains: service.allBut ? [] : (domains.get(service.id) ?? []),
    }));
    return routingBy(names, devices, services, await exits.of(db, server));
  };

  return {
    /** Changes with what decides `desiredOn`, except who has which address. */
    revision: async (db: Db): Promise<string> => `${await accessRules.revision(db)} ${await repository.revision(db)}`,
    /** The access rules this server should have, with their revision, and what it routes. */
    async desiredOn(db: Db, server: ServerRow): Promise<{ revision: number; access: DesiredAccess }> {
      const { revision, access } = await accessRules.desiredOn(db, server);
      const routing = await routingOn(db, server);
      const decided = await exits.comingTo(db, server);
      return {
        revision,
        access: { ...access, ...(decided.length > 0 && { decided }), ...(routing !== undefined && { routing }) },
      };
    },
  };
}

type Address = { interface_id: string; address: string; address_v6: string | null };

export const isRouted = (place: Place) => place.interface.routing === "server";
