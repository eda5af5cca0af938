import type { Clock } from "../../platform/clock.ts";
import type { Db, Transact, Tx } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import type { Audit } from "../audit/index.ts";

/**
 * How many configs hold an entry, asked under the lock on its row. Every config counts whose row still points to the
 * entry, so also one that was deleted and can be brought back.
 */
export interface CatalogUsage {
  configsWithService(db: Db | Tx, id: string): Promise<number>;
  configsWithDns(db: Db | Tx, id: string): Promise<number>;
}

export interface CatalogParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  events: Events;
  audit: Audit;
  usage: CatalogUsage;
}
