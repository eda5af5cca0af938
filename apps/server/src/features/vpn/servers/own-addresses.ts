import { lookup } from "node:dns/promises";
import { covers } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { plainAddress } from "../../../platform/addresses.ts";
import type { Db } from "../../../platform/database/database.ts";
import { addressesAfter, type Names } from "../../../platform/names.ts";
import { aboutOf } from "./connections.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

const KNOWN_FOR_MS = 5 * 60_000;
const CLOSED = CLOSED_NETWORKS.map(({ cidr }) => cidr);

interface Known {
  addresses: Promise<readonly string[]>;
  untilMs: number;
}

/** Whether an address is one of the club's own servers'. */
export function makeOwnAddresses({ db, names }: { db: Db; names: Names }) {
  const known = new Map<string, Known>();

  /** The system's own look-up knows its hosts file too, but keeps a thread busy for as long as no resolver answers. */
  const find = async (name: string, before: readonly string[]): Promise<readonly string[]> => {
    const found = await names.find(name);
    const isInDns = found.v4?.length !== 0 || found.v6?.length !== 0;
    if (isInDns) return addressesAfter(before, found);
    return (await lookup(name, { all: true }).catch(() => [])).flatMap(({ address }) => plainAddress(address) ?? []);
  };

  const addressesOf = async (endpoint: string): Promise<readonly string[]> => {
    const address = plainAddress(endpoint);
    if (address !== null) return [address];
    const before = known.get(endpoint);
    if (before !== undefined && performance.now() < before.untilMs) return before.addresses;
    const addresses = (before?.addresses ?? Promise.resolve([])).then((last) => find(endpoint, last));
    known.set(endpoint, { addresses, untilMs: performance.now() + KNOWN_FOR_MS });
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
