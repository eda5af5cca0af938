import { Cron } from "croner";
import { isTroubled } from "./database/trouble.ts";
import type { TimedWork } from "./feature.ts";
import type { Leases } from "./leases.ts";
import type { Log } from "./log.ts";

export interface Schedule {
  /** Does work when its time comes; skips a run while the previous one is still going. */
  add(work: TimedWork): void;
  start(): void;
  stop(): void;
}

/** `leases`: null where no other panel is on the database, so work is nobody else's. */
export function makeSchedule(log: Log, leases: Leases | null): Schedule {
  const crons: Cron[] = [];
  return {
    add({ name, at, leaseMs, run }) {
      crons.push(
        new Cron(
          at,
          {
            protect: true,
            paused: true,
            unref: true,
            catch: (error) => {
              if (!isTroubled(error)) log.error({ err: error, task: name }, "a scheduled task failed");
            },
          },
          async () => {
            if (leaseMs === undefined || leases === null || (await leases.take(name, leaseMs))) await run();
          },
        ),
      );
    },
    start() {
      for (const cron of crons) cron.resume();
    },
    stop() {
      for (const cron of crons) cron.stop();
    },
  };
}
