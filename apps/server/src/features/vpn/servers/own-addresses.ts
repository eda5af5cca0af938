import { lookup } from "node:dns/promises";
import { covers } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { plainAddress } from "../../../platform/addresses.ts";
import type { Db } from "../../../platform/database/database.ts";
import { aboutOf } from "./connections.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

const KNOWN_FOR_MS = 5 * 60_000;
const CLOSED = CLOSED_NETWORKS.map(({ cidr }) => cidr);

/** Whether an address is one of the club's own servers'. */
export function makeOwnAddresses({ db }: { db: Db }) {
  const names = new Map<string, { addresses: readonly string[]; untilMs: number }>();

  const addressesOf = async (endpoint: string): Promise<readonly string[]> => {
    const address = plainAddress(endpoint);
    if (address !== null) return [address];
    const known = names.get(endpoint);
    if (known !== undefined && performance.now() < known.untilMs) return known.addresses;
    const found = await lookup(endpoint, { all: true }).catch(() => []);
    const addresses = found.flatMap((entry) => plainAddress(entry.address) ?? []);
    names.set(endpoint, { addresses, untilMs: performance.now() + KNOWN_FOR_MS });
    return addresses;
  };

  return async (address: string): Promise<boolean> => {
    if (isClosed(address)) return false;
    const all = await repository.all(db);
    const own = await Promise.all([...new Set(all.flatMap(namesOf))].map(addressesOf));
    return own.flat().includes(address);
  };
}

/** Where devices reach it, where the panel does, and where members' traffic comes from. */
const namesOf = (server: ServerRow): string[] =>
  [server.endpoint, server.default_endpoint, server.ssh_host, ...(aboutOf(server)?.addresses ?? [])].filter(
    (name) => name !== null,
  );

/** Many machines have such an address. */
const isClosed = (address: string) => covers(CLOSED, address);
