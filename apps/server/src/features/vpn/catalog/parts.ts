import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Sources } from "../sources/index.ts";

/** How configs use the catalogue. */
export interface CatalogUsage {
  /**
   * How many configs use an entry; call it under the lock on its row. Every config whose row points to the entry counts, also a deleted
   * one that can be restored.
   */
  configsWithService(db: Db | Tx, id: string): Promise<number>;
  configsWithDns(db: Db | Tx, id: string): Promise<number>;
  /** By entry id, with or without VIP members' configs; unused entries are absent. */
  byService(db: Db | Tx, withVip: boolean): Promise<Map<string, { configs: number }>>;
  byDns(db: Db | Tx, withVip: boolean): Promise<Map<string, { configs: number }>>;
  /** How many downloaded files a change of the entry makes outdated; a service's, only those that lack something of `ips`. */
  toDownloadForService(serviceId: string, ips: readonly string[]): Promise<number>;
  toDownloadForDns(db: Db, dnsId: string): Promise<number>;
  /** How many phone configs with this service have more than `limit` addresses in their files; `sizes`: addresses of each service. */
  phonesOver(db: Db, of: { serviceId: string; sizes: ReadonlyMap<string, number>; limit: number }): Promise<number>;
}

export interface CatalogParts extends Platform {
  audit: Audit;
  usage: CatalogUsage;
  sources: Sources;
}
