import { Cron, CronPattern } from "croner";
import { isTroubled } from "./database/trouble.ts";
import type { TimedWork } from "./feature.ts";
import type { Forgetting } from "./forgetting.ts";
import { groupBy } from "./group-by.ts";
import type { Leases } from "./leases.ts";
import type { Log } from "./log.ts";

export interface Schedule {
  /** Runs work on schedule; skips a run while the previous one is still going. */
  add(work: TimedWork): void;
  /** Does all of it once, one after the other, whatever the time. */
  doAll(): Promise<void>;
  start(): void;
  /** Begins no more work; resolves once what is under way has ended. */
  stop(): Promise<void>;
}

/** `leases`: null if no other panel uses the database. */
export function makeSchedule(log: Log, leases: Leases | null, forgetting: Pick<Forgetting, "isAllowed">): Schedule {
  const all: TimedWork[] = [];
  let crons: Cron[] = [];

  const going = new Map<TimedWork, Promise<void>>();
  let isStopped = false;
  const attempt = async (work: TimedWork) => {
    try {
      const { name, leaseMs } = work;
      if (leaseMs !== undefined && leases !== null && !(await leases.take(name, leaseMs)))
        return await work.elsewhere?.();
      if (work.forgets && !(await forgetting.isAllowed())) return;
      if (!isStopped) await work.run();
    } catch (error) {
      // What outlasts the stop's patience loses its database.
      if (!isStopped && !isTroubled(error)) log.error({ err: error, task: work.name }, "a scheduled task failed");
    } finally {
      going.delete(work);
    }
  };
  const doUnlessGoing = async (work: TimedWork) => {
    if (isStopped || going.has(work)) return;
    const done = Promise.resolve(work).then(attempt);
    going.set(work, done);
    await done;
  };

  return {
    add(work) {
      // An invalid pattern fails when the panel is assembled, which tests do, not only at its start.
      new CronPattern(work.at);
      all.push(work);
    },
    async doAll() {
      for (const work of all) await doUnlessGoing(work);
    },
    start() {
      // One timer per pattern: an idle panel spends more on computing the next time than on most of the work.
      crons = [...groupBy(all, ({ at }) => at)].map(
        ([at, due]) =>
          new Cron(at, { unref: true }, () => {
            for (const work of due) void doUnlessGoing(work);
          }),
      );
    },
    async stop() {
      isStopped = true;
      for (const cron of crons) cron.stop();
      await Promise.all(going.values());
    },
  };
}
