import type { DrainPlanAnswer } from "@krug/contract/vpn/drain";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Configs } from "../configs/index.ts";
import { capacityOf, type Interfaces, type Place } from "../interfaces/index.ts";
import { type Servers, serverStatusOf } from "../servers/index.ts";
import { type Drains, isTarget, isTargetPlace, isUsable } from "./index.ts";

interface Parts extends Platform {
  servers: Servers;
  interfaces: Interfaces;
  configs: Configs;
  drains: Drains;
}

/** What a drain would move, and where to. */
export function makeDrainPlans({ db, clock, servers, interfaces, configs, drains }: Parts) {
  return {
    async ofServer(id: string): Promise<DrainPlanAnswer> {
      const from = (await servers.find(db, id)) ?? refuse("server.not_found");
      const ids = (await interfaces.ofServer(db, from.id)).map((row) => row.id);
      const now = clock.now().getTime();
      const places = [...(await interfaces.places(db)).values()];
      const load = await configs.loadNow(db, places);
      const targets = (await servers.all(db))
        .filter((server) => isTarget(server, from))
        .map((server) => {
          const usable = places.filter((place) => place.server.id === server.id && isUsable(place));
          const status = serverStatusOf(server, now);
          return { id: server.id, name: server.name, server: null, status, ...roomOn(usable, load) };
        });
      const assigned = await drains.countAssigned(db, ids, from.id);
      return { ...(await configs.countOn(db, ids)), assigned, targets };
    },

    async ofInterface(id: string): Promise<DrainPlanAnswer> {
      const from = (await interfaces.find(db, id)) ?? refuse("interface.not_found");
      const now = clock.now().getTime();
      const places = [...(await interfaces.places(db)).values()];
      const load = await configs.loadNow(db, places);
      const targets = places
        .filter((place) => isTargetPlace(place, from.id))
        .map((place) => ({
          id: place.interface.id,
          name: place.interface.name,
          server: place.server.name,
          status: serverStatusOf(place.server, now),
          ...roomOn([place], load),
        }));
      const assigned = await drains.countAssigned(db, [from.id], null);
      return { ...(await configs.countOn(db, [from.id])), assigned, targets };
    },
  };
}

/** How many devices these interfaces can have, and how many more than now. */
function roomOn(places: readonly Place[], load: ReadonlyMap<string, number>): { free: number; capacity: number } {
  const capacity = places.reduce((sum, place) => sum + capacityOf(place.interface.subnet), 0);
  const used = places.reduce((sum, place) => sum + (load.get(place.interface.id) ?? 0), 0);
  return { free: Math.max(0, capacity - used), capacity };
}
