import { lineOrNull, whyOrNull } from "@krug/contract/reasons";
import { HONEST_SKEW_MS, HOUR_MS, isoOf, MINUTE_MS } from "@krug/domain/moment";
import { type Reason, reason, reasonLine, reasonsTogether } from "@krug/domain/reasons";
import { z } from "zod";
import { type BackupPlace, backupName, type PlaceName } from "../../../platform/archive/place.ts";
import { eventType } from "../../../platform/events.ts";
import { reasonOf } from "../../../platform/failure.ts";
import type { TimedWork } from "../../../platform/feature.ts";
import type { Platform } from "../../../platform/platform.ts";
import * as repository from "./repository.ts";
import type { BackupRow } from "./table.ts";

/** No scheduled backup succeeded for twice the interval; `since` in ms since 1970. */
export const backupLate = eventType<{ since: number }>("backup.late");

interface Plan {
  everyMs: number;
  /** How many to keep in the place. */
  keep: number;
}

interface Parts extends Platform {
  panelId: string;
  backupPlan: Plan | null;
  /** Null: none are made. */
  backupPlace: BackupPlace | null;
  /** Makes a backup there and checks that it can be restored. @throws with what is wrong */
  makeBackup(place: BackupPlace, name: string): Promise<{ bytes: number }>;
}

export type Backups = ReturnType<typeof makeBackups>;

/** The wait after a failed one. */
const RETRY_MS = HOUR_MS / 4;
/** How often a panel notes that it is still at work: a slow place may take longer than another panel waits before it tries. */
const SIGN_OF_LIFE_MS = MINUTE_MS;
const MOST_UNPROVEN = 100;

/** A good backup's name says when it was made, except for those that a start adopted from earlier versions. */
const SAME_WITHIN_MS = 10_000;
/** A place that lost its backups is noticed within this time. */
const LOOK_EVERY_MS = HOUR_MS;

const inEnglish = (why: Reason) => reasonLine(why, "en");
const nameAt = (ms: number) => backupName(new Date(ms));
const unprovenIn = ({ unproven }: BackupRow) => z.array(z.string()).parse(JSON.parse(unproven));

/**
 * Scheduled backups: one of the panels on a database makes each, and staff are notified when there was no good one for too long.
 */
export function makeBackups(parts: Parts) {
  const { db, transact, clock, events, log, panelId, backupPlan, backupPlace, makeBackup } = parts;
  const nowMs = () => clock.now().getTime();
  const work = backupPlan !== null && backupPlace !== null ? { ...backupPlan, place: backupPlace } : null;
  /** True until this panel has made one here: a new place must not stay empty until the next is due. */
  let mayBeNewHere = true;

  /** A backup named ahead of time was made before the clock was corrected, so before all others. */
  const oldestFirst = (names: string[]): string[] => {
    const latest = nameAt(nowMs() + HONEST_SKEW_MS);
    return [...names.filter((name) => name > latest), ...names.filter((name) => name <= latest)];
  };

  const isHere = (row: BackupRow, { kind, address }: PlaceName) => row.place_kind === kind && row.place === address;

  /** Claims the next backup for this panel if it is due. Answers its name, and the earlier ones not known to be good. */
  const claim = ({ everyMs, place }: Plan & { place: BackupPlace }) =>
    transact(async (tx) => {
      const row = await repository.hold(tx, nowMs());
      const { good_at, tried_at } = row;
      const retryMs = Math.min(RETRY_MS, everyMs);
      const isDue = good_at === null || good_at + everyMs <= nowMs() || (mayBeNewHere && !isHere(row, place));
      if (!isDue || (tried_at !== null && tried_at + retryMs > nowMs())) return null;
      const at = nowMs();
      const name = nameAt(at);
      const earlier = unprovenIn(row);
      const unproven = JSON.stringify([...earlier, name].slice(-MOST_UNPROVEN));
      await repository.change(tx, { tried_at: nowMs(), unproven });
      return { at, name, earlier };
    });

  const make = async (
    { place, keep }: Plan & { place: BackupPlace },
    { at, name, earlier }: { at: number; name: string; earlier: string[] },
  ): Promise<void> => {
    const change = (row: Partial<BackupRow>) => transact((tx) => repository.change(tx, row));
    const left = await discarded(place, earlier);
    try {
      const { bytes } = await makeBackup(place, name);
      const { kind: place_kind, address } = place;
      const good = { good_at: at, made_by: panelId, bytes, problem: null, told_at: null, place_kind, place: address };
      await change({ ...good, unproven: JSON.stringify(left) });
      mayBeNewHere = false;
    } catch (error) {
      // A backup that cannot be restored must not push out one that can.
      left.push(...(await discarded(place, [name])));
      const problem = reasonOf(error);
      log.error({ problem: inEnglish(problem) }, "a scheduled backup failed");
      await change({ problem, unproven: JSON.stringify(left) });
      return;
    }
    try {
      const good = (await place.list()).map((there) => there.name).filter((there) => !left.includes(there));
      await place.remove(oldestFirst(good).slice(0, -keep));
    } catch (error) {
      const problem = reasonsTogether([reason("backup.old_stay"), reasonOf(error)]);
      log.error({ problem: inEnglish(problem) }, "old backups stay");
      await change({ problem });
    }
  };

  /** Answers those that could not be removed; after the first failure no other is tried. */
  const discarded = async (place: BackupPlace, names: string[]): Promise<string[]> => {
    for (const [at, name] of names.entries()) {
      try {
        await place.discard(name);
      } catch (error) {
        log.warn({ problem: inEnglish(reasonOf(error)), name }, "what is left of a backup could not be removed");
        return names.slice(at);
      }
    }
    return [];
  };

  /**
   * The problem and the time of the last good backup if that is gone or cut short; null if it is there or cannot be checked from
   * here.
   * @throws if the place does not answer
   */
  const gone = async (): Promise<{ goodAt: number; problem: Reason } | null> => {
    const row = work === null ? undefined : await repository.find(db);
    if (work === null || row === undefined || row.good_at === null || !isHere(row, work.place)) return null;
    const { good_at: goodAt, made_by, bytes } = row;
    // Each panel has a folder of its own.
    if (work.place.kind === "folder" && made_by !== panelId) return null;
    const oldest = nameAt(goodAt - SAME_WITHIN_MS);
    const there = (await work.place.list()).filter(({ name }) => name >= oldest);
    const about = { name: nameAt(goodAt), place: work.place.address };
    const last = there.find(({ name }) => name === about.name);
    if (last !== undefined && bytes !== null && last.bytes !== bytes)
      return { goodAt, problem: reason("backup.cut", { ...about, bytes: last.bytes, written: bytes }) };
    return there.length > 0 ? null : { goodAt, problem: reason("backup.gone", about) };
  };

  /**
   * For the start: a place that never held a good backup and accepts none is a configuration error. One that did is in trouble,
   * and the panel reports it while it runs.
   * @throws Error
   */
  const refuseWrongPlace = async (): Promise<void> => {
    const row = await repository.find(db);
    if (work === null || (row !== undefined && row.good_at !== null && isHere(row, work.place))) return;
    await work.place.tryOut?.();
  };

  let lookedAt: number | null = null;
  /** A lost backup does not count: the next is due at once. */
  const forgetGone = async (): Promise<void> => {
    if (lookedAt !== null && lookedAt + LOOK_EVERY_MS > nowMs()) return;
    lookedAt = nowMs();
    // A place that does not answer shows when the next backup is sent there.
    const found = await gone().catch(() => null);
    if (found === null) return;
    log.error({ problem: inEnglish(found.problem) }, "a scheduled backup is gone");
    await transact(async (tx) => {
      if ((await repository.hold(tx, nowMs())).good_at !== found.goodAt) return;
      await repository.change(tx, { good_at: null, bytes: null, tried_at: null, problem: found.problem });
    });
  };

  /** Makes the backup that is due, if one is. */
  const makeDue = async (): Promise<void> => {
    if (work === null) return;
    await forgetGone();
    const claimed = await claim(work);
    if (claimed === null) return;
    const signs = setInterval(() => {
      transact((tx) => repository.change(tx, { tried_at: nowMs() })).catch(() => {});
    }, SIGN_OF_LIFE_MS).unref();
    await make(work, claimed).finally(() => clearInterval(signs));
  };

  const tellIfLate = async (): Promise<void> => {
    if (work === null) return;
    await transact(async (tx) => {
      const { good_at, since, told_at } = await repository.hold(tx, nowMs());
      const last = good_at ?? since;
      if (told_at !== null || last + 2 * work.everyMs > nowMs()) return;
      await repository.change(tx, { told_at: nowMs() });
      await events.record(tx, backupLate, { since: last });
    });
  };

  /** Since when, ms, there was no good one for twice the interval; null while there is one, or none are scheduled. */
  const lateSince = (row: BackupRow | undefined): number | null => {
    if (work === null) return null;
    const last = row?.good_at ?? row?.since ?? nowMs();
    return last + 2 * work.everyMs <= nowMs() ? last : null;
  };

  const timed: readonly TimedWork[] =
    work === null
      ? []
      : [
          { name: "backups", at: "25 * * * * *", run: makeDue },
          // Separate, because a slow upload must not delay this notice.
          { name: "late backups", at: "55 * * * * *", run: tellIfLate },
        ];
  return {
    makeDue,
    tellIfLate,
    gone,
    refuseWrongPlace,
    /** For admins; null if none are scheduled. */
    async state() {
      if (work === null) return null;
      const row = await repository.find(db);
      const { kind, address } = work.place;
      return {
        place: { kind, address },
        everyHours: work.everyMs / HOUR_MS,
        lastGoodAt: isoOf(row?.good_at),
        lastGoodPlace: row?.place_kind && row.place ? { kind: row.place_kind, address: row.place } : null,
        lastTriedAt: isoOf(row?.tried_at),
        size: row?.bytes ?? null,
        problem: lineOrNull(row?.problem ?? null),
        why: whyOrNull(row?.problem ?? null),
        isLate: lateSince(row) !== null,
      };
    },
    lateSince: async () => lateSince(await repository.find(db)),
    timed,
  };
}
