import { MINUTE_MS } from "@krug/domain/moment";
import { canonicalAddress } from "@krug/wireguard/addresses";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { addressesAfter, type Names } from "../../../platform/names.ts";
import type { Platform } from "../../../platform/platform.ts";
import { endpointMoved } from "./events.ts";
import * as repository from "./repository.ts";

const ASK_AGAIN_MS = 5 * MINUTE_MS;

interface Parts extends Platform {
  names: Names;
  /** The name or address of every endpoint in use, with its interfaces. */
  endpoints(db: Db): Promise<ReadonlyMap<string, string[]>>;
}

/** Caches what endpoints' names resolve to: a file is written in a transaction, which must not wait for a resolver (ADR 108). */
export function makeEndpointAddresses({ db, transact, clock, events, names, endpoints }: Parts) {
  return {
    /** The addresses of this host; none while a name's are unknown. */
    async of(over: Db | Tx, host: string): Promise<string[]> {
      const address = canonicalAddress(host);
      if (address !== null) return [address];
      const known = await repository.endpoint(over, host);
      return known === undefined ? [] : (JSON.parse(known.addresses) as string[]);
    },

    /** Looks up names that are new or due. */
    async watch(): Promise<void> {
      const now = clock.now().getTime();
      const known = new Map((await repository.endpoints(db)).map((row) => [row.name, row]));
      const used = new Map([...(await endpoints(db))].filter(([host]) => canonicalAddress(host) === null));
      const gone = [...known.keys()].filter((name) => !used.has(name));
      const isDue = (name: string) => {
        const at = known.get(name)?.asked_at;
        return at === undefined || at > now || at <= now - ASK_AGAIN_MS;
      };
      const found = await Promise.all(
        [...used.keys()].filter(isDue).map(async (name) => {
          const before = JSON.parse(known.get(name)?.addresses ?? "[]") as string[];
          return { name, before, after: addressesAfter(before, await names.find(name)) };
        }),
      );
      if (found.length === 0 && gone.length === 0) return;
      await transact(async (tx) => {
        await repository.removeEndpoints(tx, gone);
        for (const { name, before, after } of found) {
          await repository.saveEndpoint(tx, { name, addresses: JSON.stringify(after), asked_at: now });
          const added = after.filter((address) => !before.includes(address));
          const interfaceIds = used.get(name) ?? [];
          if (added.length > 0) await events.record(tx, endpointMoved, { interfaceIds, added });
        }
      });
    },
  };
}
