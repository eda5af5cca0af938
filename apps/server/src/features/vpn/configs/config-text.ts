import { type AmneziaProfile, amneziaMtu } from "@krug/wireguard/amneziawg";
import { writeAmneziaLink } from "@krug/wireguard/amneziawg-link";
import { writeAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { allowedIpsFor, type ClientConfig, writeConfig } from "@krug/wireguard/config-text";
import type { PublicKey } from "@krug/wireguard/keys";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { Catalog } from "../catalog/index.ts";
import { endpointOf, type Interfaces } from "../interfaces/index.ts";
import { presharedKeyOf, privateKeyOf } from "./keys.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

/** Devices behind a home router stay reachable: the router keeps the way open this long at least, in seconds. */
const KEEPALIVE_S = 25;

/**
 * Writes the file of a config as it would be given out now; without PrivateKey if only the device has it. The writer throws a Refusal
 * for a device that moved in with routes of its own.
 */
export function makeConfigText(parts: Parts) {
  const read = makeConfigParts(parts);
  return async (db: Db | Tx, row: ConfigRow): Promise<string> => {
    const { config, profile } = await read(db, row);
    return profile === null ? writeConfig(config) : writeAmneziaConfig({ ...config, profile });
  };
}

/** The same as the link that AmneziaVPN takes. @throws Refusal config.no_link for plain WireGuard */
export function makeConfigLink(parts: Parts) {
  const read = makeConfigParts(parts);
  return async (db: Db | Tx, row: ConfigRow): Promise<string> => {
    const { config, profile } = await read(db, row);
    return profile === null ? refuse("config.no_link") : writeAmneziaLink({ ...config, profile }, row.name);
  };
}

interface Parts {
  sealing: Sealing;
  interfaces: Interfaces;
  catalog: Catalog;
}

/** `profile`: null for plain WireGuard. */
function makeConfigParts({ sealing, interfaces, catalog }: Parts) {
  return async (db: Db | Tx, row: ConfigRow): Promise<{ config: ClientConfig; profile: AmneziaProfile | null }> => {
    const place = (await interfaces.places(db)).get(row.interface_id);
    const dns = await catalog.dnsById(db, row.dns_id);
    const serviceIds = (await repository.servicesOf(db, [row.id])).get(row.id) ?? [];
    refuseUnknownRoutes(serviceIds);
    const services = await catalog.servicesByIds(db, serviceIds);
    const host = place === undefined ? null : endpointOf(place);
    if (place === undefined || dns === undefined || host === null)
      throw new Error(`config ${row.id} has no interface, DNS entry or endpoint to be written with`);
    const profile = interfaces.profileOf(place.interface);
    const allowedIps = allowedIpsFor(
      services.flatMap((service) => service.ips),
      dns.ips,
      await interfaces.addressesBehind(db, host),
    );
    const config: ClientConfig = {
      privateKey: privateKeyOf(sealing, row),
      addresses: row.address_v6 === null ? [`${row.address}/32`] : [`${row.address}/32`, `${row.address_v6}/128`],
      dns: dns.ips,
      // Apps choose one that forgets AmneziaWG's padding.
      mtu: place.interface.mtu ?? (profile && amneziaMtu(profile)),
      peer: {
        publicKey: place.interface.public_key as PublicKey,
        presharedKey: presharedKeyOf(sealing, row),
        // Where the only service is the server itself: a peer must route something.
        allowedIps: allowedIps.length > 0 ? allowedIps : [place.interface.subnet],
        endpoint: { host, port: place.interface.listen_port },
        persistentKeepalive: KEEPALIVE_S,
      },
    };
    return { config, profile };
  };
}

/** A config without services is one that moved in: what its device routes is in the device's own settings. @throws Refusal */
export function refuseUnknownRoutes(serviceIds: readonly string[]): void {
  if (serviceIds.length === 0) refuse("config.routes_unknown");
}
