import { Cron, CronPattern } from "croner";
import { isTroubled } from "./database/trouble.ts";
import type { TimedWork } from "./feature.ts";
import { groupBy } from "./group-by.ts";
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
  const all: TimedWork[] = [];
  let crons: Cron[] = [];

  const going = new Set<TimedWork>();
  const doUnlessGoing = async (work: TimedWork) => {
    if (going.has(work)) return;
    going.add(work);
    try {
      const { name, leaseMs } = work;
      if (leaseMs === undefined || leases === null || (await leases.take(name, leaseMs))) await work.run();
    } catch (error) {
      if (!isTroubled(error)) log.error({ err: error, task: work.name }, "a scheduled task failed");
    } finally {
      going.delete(work);
    }
  };

  return {
    add(work) {
      // A pattern that cannot be read fails where the panel is put together, which tests do, and not only at its start.
      new CronPattern(work.at);
      all.push(work);
    },
    start() {
      // One for all work of a time: an idle panel spends more on working out when the next time is than on most of the work.
      crons = [...groupBy(all, ({ at }) => at)].map(
        ([at, due]) =>
          new Cron(at, { unref: true }, () => {
            for (const work of due) void doUnlessGoing(work);
          }),
      );
    },
    stop() {
      for (const cron of crons) cron.stop();
    },
  };
}
