import { type AmneziaProfile, amneziaMtu } from "@krug/wireguard/amneziawg";
import { writeAmneziaLink } from "@krug/wireguard/amneziawg-link";
import { writeAmneziaConfig } from "@krug/wireguard/amneziawg-text";
import { allowedIpsFor, type ClientConfig, resolversFor, writeConfig } from "@krug/wireguard/config-text";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { Catalog } from "../catalog/index.ts";
import { endpointOf, type Interfaces } from "../interfaces/index.ts";
import { keysUnlessLost, presharedKeyOf, privateKeyOf } from "./keys.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

/** Keeps devices behind a home router reachable: routers keep a mapping at least this long, in seconds. */
const KEEPALIVE_S = 25;

/** If the server routes, it gets everything, IPv6 too: what has no address in the tunnel must not leave outside it. */
const EVERYWHERE = ["0.0.0.0/0", "::/0"];

/**
 * Writes a config's current file; without PrivateKey if only the device has it. The writer throws a Refusal for a device imported
 * with routes of its own.
 */
export function makeConfigText(parts: Parts) {
  const read = makeConfigParts(parts);
  return async (db: Db | Tx, row: ConfigRow): Promise<string> => {
    const { config, profile } = await read(db, row);
    return profile === null ? writeConfig(config) : writeAmneziaConfig({ ...config, profile });
  };
}

/** The same as a link for AmneziaVPN. @throws Refusal config.no_link for plain WireGuard */
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
    const profile = keysUnlessLost(() => interfaces.profileOf(place.interface));
    const addresses = row.address_v6 === null ? [`${row.address}/32`] : [`${row.address}/32`, `${row.address_v6}/128`];
    const resolvers = resolversFor(dns.ips, addresses, host);
    const allowedIps =
      place.interface.routing === "server"
        ? EVERYWHERE
        : allowedIpsFor(
            services.flatMap((service) => service.ips),
            resolvers,
            await interfaces.addressesBehind(db, host),
          );
    const [privateKey, presharedKey] = keysUnlessLost(() => [privateKeyOf(sealing, row), presharedKeyOf(sealing, row)]);
    const config: ClientConfig = {
      privateKey,
      addresses,
      dns: resolvers,
      // Apps choose an MTU without room for AmneziaWG's padding.
      mtu: place.interface.mtu ?? (profile && amneziaMtu(profile)),
      peer: {
        publicKey: place.interface.public_key as PublicKey,
        presharedKey,
        // The only service may be the server itself, but a peer must route something.
        allowedIps: allowedIps.length > 0 ? allowedIps : [place.interface.subnet],
        endpoint: { host, port: place.interface.listen_port },
        persistentKeepalive: KEEPALIVE_S,
      },
    };
    return { config, profile };
  };
}

/** A config without services was imported: its device's routes are in its own settings. @throws Refusal */
export function refuseUnknownRoutes(serviceIds: readonly string[]): void {
  if (serviceIds.length === 0) refuse("config.routes_unknown");
}
