import { isIP } from "node:net";
import type { AvailableServerAnswer } from "@krug/contract/vpn/configs";
import type { SecurityGate } from "../../access/security-gate/index.ts";
import { endpointOf, tunnelOf } from "../interfaces/index.ts";
import { flagsOf } from "../servers/index.ts";
import * as addresses from "./addresses.ts";
import { preferredPlace, stateOf, whyUnusable } from "./choose-interface.ts";
import type { ConfigParts } from "./parts.ts";

export interface OfferedPlacesParts extends Pick<ConfigParts, "db" | "interfaces" | "templates" | "catalog"> {
  securityGate: Pick<SecurityGate, "countryOf">;
}

/** What a member may choose from when creating a config. */
export function makeOfferedPlaces({ db, interfaces, templates, catalog, securityGate }: OfferedPlacesParts) {
  /** By address, if local data has it; a name is not resolved for this. */
  const countriesOf = async (endpoints: readonly string[]): Promise<Map<string, string | null>> => {
    const found = new Map<string, string | null>();
    for (const endpoint of new Set(endpoints))
      if (isIP(endpoint) !== 0) found.set(endpoint, await securityGate.countryOf(endpoint));
    return found;
  };

  return {
    async servers(memberId: string): Promise<AvailableServerAnswer[]> {
      const open = await interfaces.openTo(db, memberId);
      return [...new Map(open.map((place) => [place.server.id, place.server])).values()].map((server) => ({
        id: server.id,
        name: server.name,
        ...flagsOf(server),
      }));
    },
    async interfaces(memberId: string) {
      const open = await interfaces.openTo(db, memberId);
      const load = await addresses.load(db, open);
      const suggested = (await templates.begunWith(db, memberId))?.interfaceId;
      const preferred = preferredPlace(open, load, { suggested })?.interface.id;
      const countries = await countriesOf(open.flatMap((place) => endpointOf(place) ?? []));
      return open.map((place) => {
        const used = load.get(place.interface.id) ?? 0;
        const reason = whyUnusable(place, used);
        return {
          id: place.interface.id,
          name: place.interface.name,
          isActive: reason === null,
          is_active: reason === null,
          reason,
          serverId: place.server.id,
          server_id: place.server.id,
          serverName: place.server.name,
          tunnel: tunnelOf(place.interface),
          routing: place.interface.routing,
          serverState: stateOf(place, used),
          serverCountry: countries.get(endpointOf(place) ?? "") ?? null,
          isPreferred: place.interface.id === preferred,
        };
      });
    },
    /** Ids of services, from the template the member joined with. */
    async suggestedServices(memberId: string): Promise<string[]> {
      const named = new Set((await templates.begunWith(db, memberId))?.serviceIds);
      return (await catalog.services(db)).flatMap(({ id }) => (named.has(id) ? [id] : []));
    },
  };
}
