import { HONEST_SKEW_MS } from "@krug/domain/moment";
import type { ExpressionBuilder } from "kysely";
import { type Db, isPostgres, type Tx } from "../database/database.ts";
import { DATABASE_NOW } from "../held-leases.ts";
import { LONGEST_WAIT_MS } from "../jobs.ts";
import { type JobTables, jobTables } from "./table.ts";

/** A panel that does not finish a claimed job by then has died: others may claim it. */
export const LOCK_MS = 120_000;

/**
 * A job scheduled further ahead than any retry was written under a clock that has since been corrected. Untried jobs are never
 * scheduled ahead, so for them any time beyond the skew means this.
 */
export const isDue =
  ({ now, tooFarUntried, tooFar }: Moments) =>
  (e: ExpressionBuilder<JobTables, "jobs">) =>
    e.or([
      e("run_at", "<=", now),
      e.and([e("attempts", "=", 0), e("run_at", ">", tooFarUntried)]),
      e("run_at", ">", tooFar),
    ]);

export const momentsOf = (now: number) => ({
  now,
  tooFarUntried: now + HONEST_SKEW_MS,
  tooFar: now + LONGEST_WAIT_MS + HONEST_SKEW_MS,
  lockedTooFar: now + LOCK_MS + HONEST_SKEW_MS,
});
type Moments = ReturnType<typeof momentsOf>;

export type Claimant = Moments & { panelId: string; holder: string };

/** Ids of jobs that are due for a panel and not running. */
export function claimable(db: Db | Tx, by: Claimant) {
  const due = jobTables(db)
    .selectFrom("jobs")
    .select("id")
    .where("failed_at", "is", null)
    .where(isDue(by))
    .where((e) => e.or([e("panel_id", "is", null), e("panel_id", "=", by.panelId)]));
  const unclaimed = (e: ExpressionBuilder<JobTables, "jobs">) => [
    e("locked_until", "is", null),
    e("locked_until", "<", by.now),
    e("locked_until", ">", by.lockedTooFar),
  ];
  if (!isPostgres(db)) return due.where((e) => e.or(unclaimed(e)));
  // The holder of a lane's lease has its jobs: no other panel claims them, and what the previous holder claimed is free.
  return due
    .leftJoin("leases", "leases.name", "jobs.lane")
    .where((e) => e.or([e("holder", "is", null), e("holder", "=", by.holder), e("expires_at", "<=", DATABASE_NOW)]))
    .where((e) => e.or([...unclaimed(e), e("claimed_by", "<>", e.ref("holder")), e("expires_at", "<=", DATABASE_NOW)]));
}
