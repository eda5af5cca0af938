import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faketimeLibrary } from "../scripts/system-packages.mjs";

/*
 * A clock for one process only, through libfaketime. Only the time of day is moved. Monotonic time, which timers use, stays the
 * kernel's, as it does when an operator or NTP sets a machine's clock.
 */
export interface OwnClock {
  /** For the process that uses the clock. */
  readonly env: Record<string, string>;
  /** Sets how far it is ahead of this machine's, within a second; also while the process runs. */
  ahead(seconds: number): Promise<void>;
  /** Removes what a killed process with this clock has left in shared memory. */
  forget(pid: number): Promise<void>;
  remove(): Promise<void>;
}

export async function makeOwnClock(): Promise<OwnClock> {
  const folder = await mkdtemp(join(tmpdir(), "krug-clock-"));
  const file = join(folder, "ahead");
  const ahead = async (seconds: number) => {
    // Renamed, so that it is never read half written.
    await writeFile(`${file}.new`, `+${seconds}\n`);
    await rename(`${file}.new`, file);
  };
  await ahead(0);
  return {
    ahead,
    async forget(pid) {
      for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
        await rm(join("/dev/shm", name), { force: true });
    },
    remove: () => rm(folder, { recursive: true }),
    env: {
      LD_PRELOAD: faketimeLibrary() ?? "",
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    },
  };
}
