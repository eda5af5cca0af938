import { isTroubled } from "./platform/database/trouble.ts";
import type { Feature } from "./platform/feature.ts";
import type { HeldLeases } from "./platform/held-leases.ts";
import type { Jobs } from "./platform/jobs.ts";
import type { Log } from "./platform/log.ts";
import type { Schedule } from "./platform/schedule.ts";

/**
 * By when each step of the end is not waited for any longer, ms from its beginning. A step that ends early leaves its time to those
 * after it, and all of them together are over before a service manager or a person at a terminal loses patience.
 */
export const STEPS_BY_MS = { answers: 2_700, jobs: 3_300, counters: 3_600, leases: 3_900, database: 4_200 } as const;

interface Working {
  schedule: Pick<Schedule, "stop">;
  features: readonly Feature[];
  jobs: Pick<Jobs, "stop">;
  /** In a container the tunnels end with the panel, and what they have counted since the last reading with them. */
  readCounters(): Promise<void>;
  heldLeases: Pick<HeldLeases, "release">;
  log: Log;
}

/** What is asked of a stop beyond the end of work. */
interface Closing {
  /** Ends once all that was asked is answered. */
  answers: Promise<void>;
  database: { close(): Promise<void> };
}

/**
 * Lets running work end, once: when another panel has taken this one's place, or at a stop, which then closes the database too.
 * Jobs go on until the answers are given, because requests wait for theirs. Tunnels stay up. What hangs is left behind: a job that
 * is cut short is done again after the next start.
 */
export function makeEndWork({ schedule, features, jobs, readCounters, heldLeases, log }: Working) {
  const stepsFrom = (startedAt: number) => {
    /** What fails keeps nothing after it from its end. Where the time is over already, it is begun and not waited for. */
    return async (step: keyof typeof STEPS_BY_MS, work: () => Promise<unknown> | undefined): Promise<void> => {
      const leftMs = startedAt + STEPS_BY_MS[step] - performance.now();
      const done = Promise.resolve()
        .then(work)
        .then(
          () => true,
          (error: unknown) => {
            if (!isTroubled(error)) log.error({ err: error }, "a part of the panel failed to end");
            return true;
          },
        );
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        if (leftMs <= 0) resolve(false);
        else timer = setTimeout(() => resolve(false), leftMs).unref();
      });
      if (!(await Promise.race([done, late])))
        log.warn({ step }, "a part of the panel did not end in time and was left");
      clearTimeout(timer);
    };
  };
  const end = async (closing?: Closing): Promise<void> => {
    const within = stepsFrom(performance.now());
    schedule.stop();
    await Promise.all([
      ...features.map((feature) => within("answers", () => feature.stop?.())),
      within("answers", () => closing?.answers),
    ]);
    await within("jobs", () => jobs.stop());
    // These two may fail without a word: the machine or the database may be away, and the next start makes up for it.
    await within("counters", () => readCounters().catch(() => {}));
    await within("leases", () => heldLeases.release().catch(() => {}));
  };
  const close = async ({ answers, database }: Closing, hasBegun: boolean, ending: Promise<void>): Promise<void> => {
    const within = stepsFrom(performance.now());
    await ending;
    // Work ended before anybody stopped the panel.
    if (hasBegun) await within("answers", () => answers);
    await within("database", () => database.close());
  };
  let ended: Promise<void> | null = null;
  return (closing?: Closing): Promise<void> => {
    const hasBegun = ended !== null;
    ended ??= end(closing);
    return closing === undefined ? ended : close(closing, hasBegun, ended);
  };
}
