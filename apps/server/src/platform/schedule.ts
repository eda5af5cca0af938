import { Cron } from "croner";
import { isTroubled } from "./database/trouble.ts";
import type { Log } from "./log.ts";

export interface Schedule {
  /** Runs `task` on a cron pattern (with seconds); skips a run while the previous one is still going. */
  every(name: string, pattern: string, task: () => Promise<void>): void;
  start(): void;
  stop(): void;
}

export function makeSchedule(log: Log): Schedule {
  const crons: Cron[] = [];
  return {
    every(name, pattern, task) {
      crons.push(
        new Cron(
          pattern,
          {
            protect: true,
            paused: true,
            unref: true,
            catch: (error) => {
              if (!isTroubled(error)) log.error({ err: error, task: name }, "a scheduled task failed");
            },
          },
          task,
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
