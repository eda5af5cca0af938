import { readNetworkList } from "@krug/wireguard/network-list";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Sources } from "../sources/index.ts";
import type { Given } from "./check-entry.ts";
import * as repository from "./repository.ts";
import type { ServiceRow } from "./table.ts";

interface Composition {
  given: Given;
  keys: string[];
  /** Of the sources. */
  found: string[];
}

/** What the networks of a service are made of. */
export async function compositionOf(
  { sources }: { sources: Pick<Sources, "ofService"> },
  over: Db | Tx,
  { id, ips }: ServiceRow,
): Promise<Composition> {
  const kept = await repository.typedOf(over, id);
  const { keys, networks: found } = await sources.ofService(over, id);
  const own = kept ? readNetworkList(kept.typed).items.map(({ text }) => text) : (JSON.parse(ips) as string[]);
  return { given: { own, typed: kept?.typed ?? null, allBut: kept?.all_but === 1 }, keys, found };
}
