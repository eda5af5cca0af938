import type { Remotes } from "../../../hosts/remote.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Db, Transact } from "../../../platform/database/database.ts";
import type { HeldLeases } from "../../../platform/held-leases.ts";
import type { Jobs } from "../../../platform/jobs.ts";
import type { Log } from "../../../platform/log.ts";
import type { Signals } from "../../../platform/signals.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Interfaces } from "../interfaces/index.ts";
import type { Servers } from "../servers/index.ts";

export interface SetupParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  log: Log;
  signals: Signals;
  jobs: Jobs;
  heldLeases: HeldLeases;
  audit: Audit;
  remotes: Remotes;
  servers: Servers;
  interfaces: Interfaces;
}
