import { randomUUID } from "node:crypto";
import type { DnsAnswer, ServiceAnswer } from "@krug/contract/vpn/catalog";
import { makeCached } from "../../../platform/cached.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Sources } from "../sources/index.ts";
import { followSources } from "./follow-sources.ts";
import * as repository from "./repository.ts";
import { ALL_TRAFFIC, startingDns, startingServices } from "./starting-set.ts";
import { dnsAnswer, serviceAnswer } from "./to-answer.ts";

export { catalogChanged, exitChanged, namesChanged, serviceAdded } from "./events.ts";

export type Catalog = ReturnType<typeof makeCatalog>;

interface Parts extends Platform {
  sources: Pick<Sources, "ofService">;
}

/** Services and DNS entries: what a config routes, and its resolvers. Lists are in the catalogue's order. */
export function makeCatalog(parts: Parts) {
  const { clock, signals } = parts;
  followSources(parts);
  const known = makeCached(signals, repository.WRITTEN, async (db) => ({
    services: (await repository.allServices(db)).map(serviceAnswer),
    dns: (await repository.allDns(db)).map(dnsAnswer),
  }));
  return {
    services: async (db: Db | Tx): Promise<readonly ServiceAnswer[]> => (await known.read(db)).services,
    /** As `services` would answer at once; undefined if it would query the database. */
    latestServices: (): readonly ServiceAnswer[] | undefined => known.latest()?.services,

    dns: async (db: Db | Tx): Promise<readonly DnsAnswer[]> => (await known.read(db)).dns,

    /** Unknown ids are absent. */
    servicesByIds: async (db: Db | Tx, ids: readonly string[]): Promise<ServiceAnswer[]> =>
      (await repository.servicesByIds(db, ids)).map(serviceAnswer),

    /** As servicesByIds, and none of them can be deleted before the transaction ends. */
    holdServices: async (tx: Tx, ids: readonly string[]): Promise<ServiceAnswer[]> =>
      (await repository.holdServices(tx, ids)).map(serviceAnswer),

    dnsById: async (db: Db | Tx, id: string): Promise<DnsAnswer | undefined> =>
      answered(await repository.dnsById(db, id)),

    /** As dnsById, and it cannot be deleted before the transaction ends. */
    holdDns: async (tx: Tx, id: string): Promise<DnsAnswer | undefined> => answered(await repository.holdDns(tx, id)),

    /** Fills an empty catalogue with a new club's entries; any other stays unchanged. */
    async seedCatalog(tx: Tx): Promise<void> {
      await lockPlace(tx, "catalog");
      if (!(await repository.isEmpty(tx))) return;
      const created_at = clock.now().getTime();
      const rows = (entries: readonly { name: string; ips: string[] }[]) =>
        entries.map(({ name, ips }, index) => ({
          id: randomUUID(),
          name,
          name_key: repository.nameKey(name),
          ips: JSON.stringify(ips),
          position: index + 1,
          created_at,
        }));
      for (const row of rows(startingServices))
        await repository.insertService({ signals }, tx, { ...row, ...ALL_TRAFFIC });
      for (const row of rows(startingDns)) await repository.insertDns({ signals }, tx, row);
    },
  };
}

const answered = (row: Parameters<typeof dnsAnswer>[0] | undefined) => row && dnsAnswer(row);
