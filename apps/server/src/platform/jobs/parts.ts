import type { Clock } from "../clock.ts";
import type { Db, Transact } from "../database/database.ts";
import type { HeldLeases } from "../held-leases.ts";
import type { Run } from "../jobs.ts";
import type { Log } from "../log.ts";
import type { Signals } from "../signals.ts";

export interface JobParts {
  db: Db;
  transact: Transact;
  clock: Clock;
  log: Log;
  signals: Signals;
  heldLeases: Pick<HeldLeases, "holder" | "hold" | "holds">;
  panelId: string;
}

export interface Handler {
  run: Run<never>;
  maxAttempts: number;
  underLease: boolean;
}
/** By the kind's name. */
export type Handlers = ReadonlyMap<string, Handler>;

/** Another panel queued work for this panel: for its own machine, or in a lane whose lease it holds. */
export const WAITING = "jobs.waiting";
export const DONE = "jobs.done";
export const FAILED = "jobs.failed";
