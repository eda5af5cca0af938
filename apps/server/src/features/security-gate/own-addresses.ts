import { lookup } from "node:dns/promises";
import { plainAddress } from "../../platform/addresses.ts";
import type { Db } from "../../platform/database/database.ts";
import type { Servers } from "../servers/index.ts";

const KNOWN_FOR_MS = 5 * 60_000;

/** The addresses of the club's own servers: visitors from one are inside the club's VPN (decisions, section 9). */
export function makeOwnAddresses({ db, servers }: { db: Db; servers: Pick<Servers, "all"> }) {
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
    const endpoints = (await servers.all(db)).flatMap(({ endpoint, default_endpoint }) =>
      [endpoint, default_endpoint].filter((text) => text !== null),
    );
    const own = await Promise.all([...new Set(endpoints)].map(addressesOf));
    return own.flat().includes(address);
  };
}
