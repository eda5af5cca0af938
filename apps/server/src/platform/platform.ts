import type { Clock } from "./clock.ts";
import type { ClubTime } from "./club-time.ts";
import type { Db, Transact } from "./database/database.ts";
import type { Events } from "./events.ts";
import type { Forgetting } from "./forgetting.ts";
import type { HeldLeases } from "./held-leases.ts";
import type { Jobs } from "./jobs.ts";
import type { Leases } from "./leases.ts";
import type { Log } from "./log.ts";
import type { Sealing } from "./sealing.ts";
import type { Signals } from "./signals.ts";

/** What every feature may use. */
export interface Platform {
  db: Db;
  transact: Transact;
  clock: Clock;
  clubTime: ClubTime;
  sealing: Sealing;
  jobs: Jobs;
  events: Events;
  signals: Signals;
  leases: Leases;
  heldLeases: HeldLeases;
  forgetting: Forgetting;
  log: Log;
  publicUrl: URL | null;
}
