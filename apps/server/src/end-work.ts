import { setTimeout as wait } from "node:timers/promises";
import { isTroubled } from "./platform/database/trouble.ts";
import type { Feature } from "./platform/feature.ts";
import type { HeldLeases } from "./platform/held-leases.ts";
import type { Jobs } from "./platform/jobs.ts";
import type { Log } from "./platform/log.ts";
import type { Schedule } from "./platform/schedule.ts";

/** For what may hang on somebody outside. */
const PART_MS = 1_000;

interface Working {
  schedule: Pick<Schedule, "stop">;
  features: readonly Feature[];
  jobs: Pick<Jobs, "stop">;
  /** In a container the tunnels end with the panel, and what they have counted since the last reading with them. */
  readCounters(): Promise<void>;
  heldLeases: Pick<HeldLeases, "release">;
  log: Log;
}

/**
 * Lets running work end within some 4 s, once: at a stop, or when another panel has taken this one's place. Jobs go on until
 * `closing`, because requests that are still answered wait for theirs. Tunnels stay up.
 */
export function makeEndWork({ schedule, features, jobs, readCounters, heldLeases, log }: Working) {
  /** What fails keeps nothing after it from its end. */
  const within = (work: () => Promise<void> | undefined) =>
    Promise.race([
      Promise.resolve()
        .then(work)
        .catch((error: unknown) => {
          if (!isTroubled(error)) log.error({ err: error }, "a part of the panel failed to end");
        }),
      wait(PART_MS, undefined, { ref: false }),
    ]);
  const end = async (closing: Promise<void>): Promise<void> => {
    schedule.stop();
    await Promise.all([...features.map((feature) => within(() => feature.stop?.())), closing]);
    // A job that is cut short is done again after the next start.
    await within(() => jobs.stop());
    // These two may fail without a word: the machine or the database may be away, and the next start makes up for it.
    await within(() => readCounters().catch(() => {}));
    await within(() => heldLeases.release().catch(() => {}));
  };
  let ended: Promise<void> | null = null;
  return (closing: Promise<void> = Promise.resolve()): Promise<void> => {
    ended ??= end(closing);
    return ended;
  };
}
