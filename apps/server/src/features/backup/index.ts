import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Transact } from "../../platform/database/database.ts";
import { type Events, eventType } from "../../platform/events.ts";
import type { TimedWork } from "../../platform/feature.ts";
import type { Log } from "../../platform/log.ts";
import * as repository from "./repository.ts";

/** No scheduled backup was good for twice the interval; `since` in ms since 1970. */
export const backupLate = eventType<{ since: number }>("backup.late");

/** Where scheduled backups go, how often, and how many stay. */
export interface BackupPlan {
  folder: string;
  everyMs: number;
  keep: number;
}

interface Parts {
  db: Db;
  transact: Transact;
  clock: Clock;
  events: Events;
  log: Log;
  /** Null: none are made. */
  backupPlan: BackupPlan | null;
  /** Makes a backup and sees that it can be restored. @throws with what is wrong */
  makeBackup(path: string): Promise<{ bytes: number }>;
}

export type Backups = ReturnType<typeof makeBackups>;

const HOUR_MS = 3_600_000;
/** After one that failed. */
const RETRY_MS = HOUR_MS / 4;
const OURS = /^krug-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.age$/;
const LONGEST_PROBLEM = 400;

/** By its moment in UTC, so that names sort by age. */
const nameOf = (now: Date) => `krug-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.age`;

/** Backups by the clock: one panel of those on a database makes each, and staff hear when there is no good one for too long. */
export function makeBackups({ db, transact, clock, events, log, backupPlan: plan, makeBackup }: Parts) {
  const nowMs = () => clock.now().getTime();

  /** Whether it is this panel's to make one now. */
  const claim = ({ everyMs }: BackupPlan) =>
    transact(async (tx) => {
      const { good_at, tried_at } = await repository.hold(tx, nowMs());
      const retryMs = Math.min(RETRY_MS, everyMs);
      const isDue = good_at === null || good_at + everyMs <= nowMs();
      if (!isDue || (tried_at !== null && tried_at + retryMs > nowMs())) return false;
      await repository.change(tx, { tried_at: nowMs() });
      return true;
    });

  const make = async ({ folder, keep }: BackupPlan): Promise<void> => {
    const path = join(folder, nameOf(clock.now()));
    const madeAt = nowMs();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { bytes } = await makeBackup(path);
      await transact((tx) => repository.change(tx, { good_at: madeAt, bytes, problem: null, told_at: null }));
    } catch (error) {
      // One that cannot be restored must not push out one that can.
      await rm(path, { force: true }).catch(() => {});
      const problem = (error as Error).message.slice(0, LONGEST_PROBLEM);
      log.error({ problem }, "a scheduled backup failed");
      await transact((tx) => repository.change(tx, { problem }));
      return;
    }
    const old = (await readdir(folder)).filter((name) => OURS.test(name)).sort();
    for (const name of old.slice(0, -keep)) await rm(join(folder, name));
  };

  const tellIfLate = ({ everyMs }: BackupPlan) =>
    transact(async (tx) => {
      const { good_at, since, told_at } = await repository.hold(tx, nowMs());
      const last = good_at ?? since;
      if (told_at !== null || last + 2 * everyMs > nowMs()) return;
      await repository.change(tx, { told_at: nowMs() });
      await events.record(tx, backupLate, { since: last });
    });

  /** Makes the backup that is due, if one is. */
  const look = async (): Promise<void> => {
    if (plan === null) return;
    if (await claim(plan)) await make(plan);
    await tellIfLate(plan);
  };

  const timed: readonly TimedWork[] = plan === null ? [] : [{ name: "backups", at: "25 * * * * *", run: look }];
  return {
    look,
    /** For admins; null where none are scheduled. */
    async state() {
      if (plan === null) return null;
      const row = await repository.find(db);
      const last = row?.good_at ?? row?.since ?? nowMs();
      const iso = (at: number | null | undefined) => (at ? new Date(at).toISOString() : null);
      return {
        everyHours: plan.everyMs / HOUR_MS,
        lastGoodAt: iso(row?.good_at),
        lastTriedAt: iso(row?.tried_at),
        size: row?.bytes ?? null,
        problem: row?.problem ?? null,
        isLate: last + 2 * plan.everyMs <= nowMs(),
      };
    },
    timed,
  };
}
