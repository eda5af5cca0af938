import { isTroubled } from "./platform/database/trouble.ts";
import type { Feature } from "./platform/feature.ts";
import type { HeldLeases } from "./platform/held-leases.ts";
import type { Jobs } from "./platform/jobs.ts";
import type { Log } from "./platform/log.ts";
import type { Schedule } from "./platform/schedule.ts";

/**
 * When each step of the stop is no longer waited for, ms from its start. A step that ends early leaves its time to those after
 * it, and all of them together are over before a service manager or a person at a terminal gives up.
 */
export const STEPS_BY_MS = { answers: 2_700, jobs: 3_300, counters: 3_600, leases: 3_900, database: 4_200 } as const;

interface Working {
  schedule: Pick<Schedule, "stop">;
  features: readonly Feature[];
  jobs: Pick<Jobs, "stop">;
  /** In a container the tunnels end with the panel, and with them what they counted since the last reading. */
  readCounters(): Promise<void>;
  heldLeases: Pick<HeldLeases, "release">;
  log: Log;
}

/** What a stop does beyond ending work. */
interface Closing {
  /** Resolves once all pending requests are answered. */
  answers: Promise<void>;
  database: { close(): Promise<void> };
}

/**
 * Lets running work end, once: when another panel has taken this one's place, or at a stop, which then closes the database too.
 * Jobs continue until the answers are sent, because requests wait for them. Tunnels stay up. Work that hangs is abandoned: an
 * interrupted job is repeated after the next start.
 */
export function makeEndWork({ schedule, features, jobs, readCounters, heldLeases, log }: Working) {
  const stepsFrom = (startedAt: number) => {
    /** A failure does not keep later steps from ending. If the time is already over, a step is started but not waited for. */
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
    await Promise.all([
      within("answers", () => schedule.stop()),
      ...features.map((feature) => within("answers", () => feature.stop?.())),
      within("answers", () => closing?.answers),
    ]);
    await within("jobs", () => jobs.stop());
    // These two may fail silently: the machine or the database may be away, and the next start makes up for it.
    await within("counters", () => readCounters().catch(() => {}));
    await within("leases", () => heldLeases.release().catch(() => {}));
  };
  const close = async ({ answers, database }: Closing, hasBegun: boolean, ending: Promise<void>): Promise<void> => {
    const within = stepsFrom(performance.now());
    await ending;
    // Work had ended before the panel was stopped.
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
