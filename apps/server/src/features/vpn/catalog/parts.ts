import type { Clock } from "../../../platform/clock.ts";
import type { Db, Transact, Tx } from "../../../platform/database/database.ts";
import type { Events } from "../../../platform/events.ts";
import type { Signals } from "../../../platform/signals.ts";
import type { Audit } from "../../club/audit/index.ts";

/** What configs hold of the catalogue. */
export interface CatalogUsage {
  /**
   * How many configs hold an entry, asked under the lock on its row. Every config counts whose row still points to the
   * entry, so also one that was deleted and can be brought back.
   */
  configsWithService(db: Db | Tx, id: string): Promise<number>;
  configsWithDns(db: Db | Tx, id: string): Promise<number>;
  /** By entry id, with or without what VIP members have; an entry in none is absent. */
  byService(db: Db | Tx, withVip: boolean): Promise<Map<string, { configs: number }>>;
  byDns(db: Db | Tx, withVip: boolean): Promise<Map<string, { configs: number }>>;
  /** How many given-out files another text of the entry makes old. */
  toDownload(db: Db, of: { serviceId: string } | { dnsId: string }): Promise<number>;
  /** How many phone configs with this service hold more than `limit` addresses, services having as many as `sizes` says. */
  phonesOver(db: Db, serviceId: string, sizes: ReadonlyMap<string, number>, limit: number): Promise<number>;
}

export interface CatalogParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  events: Events;
  signals: Signals;
  audit: Audit;
  usage: CatalogUsage;
}
