import { randomUUID } from "node:crypto";
import { chunks } from "../database/chunks.ts";
import { afterCommit, type Tx } from "../database/database.ts";
import type { JobKind, NewJob } from "../jobs.ts";
import { isDue, LOCK_MS, momentsOf } from "./due.ts";
import { type Handlers, type JobParts, WAITING } from "./parts.ts";
import type { JobRunner } from "./runner.ts";
import { insertJob, type JobRow, jobTables } from "./table.ts";

/** Writes a job in the caller's transaction, and has it run after the commit. Answers its id. */
export async function enqueueJob<Payload>(
  { clock, signals, heldLeases, panelId }: JobParts,
  handlers: Handlers,
  runner: JobRunner,
  tx: Tx,
  kind: JobKind<Payload>,
  job: NewJob<Payload>,
): Promise<string> {
  const now = clock.now().getTime();
  const { lane = kind.name, afterMs = 0 } = job;
  const waiting = job.unlessWaiting === true ? await findWaiting(tx, kind.name, lane, now) : undefined;
  if (waiting !== undefined) return waiting.id;
  // Work on this panel's own machine that can start at once is claimed without a separate commit.
  const isElsewhere = kind.underLease && !heldLeases.holds(lane);
  const isOwn = job.panelId === panelId && handlers.has(kind.name) && !isElsewhere;
  const isClaimed = afterMs === 0 && isOwn && runner.isFree(lane);
  const row = {
    ...rowOf(kind, { ...job, lane }, now),
    ...(isClaimed ? { attempts: 1, locked_until: now + LOCK_MS, claimed_by: heldLeases.holder } : {}),
  };
  await insertJob(tx, row);
  if (isClaimed) afterCommit(tx, () => runner.runClaimed(row));
  else if (job.panelId !== undefined && job.panelId !== panelId) signals.send(tx, WAITING, [job.panelId]);
  else {
    if (isElsewhere) signals.send(tx, WAITING, [lane]);
    afterCommit(tx, () => runner.lookIn(afterMs));
  }
  return row.id;
}

/** Writes several jobs for any panel with one statement. Answers their ids. */
export async function enqueueJobs<Payload>(
  { clock, signals, heldLeases }: JobParts,
  runner: JobRunner,
  tx: Tx,
  kind: JobKind<Payload>,
  jobs: readonly (NewJob<Payload> & { lane: string })[],
): Promise<string[]> {
  if (jobs.length === 0) return [];
  const now = clock.now().getTime();
  const rows = jobs.map((job) => rowOf(kind, job, now));
  for (const some of chunks(rows)) await jobTables(tx).insertInto("jobs").values(some).execute();
  const elsewhere = kind.underLease ? rows.filter(({ lane }) => !heldLeases.holds(lane)) : [];
  if (elsewhere.length > 0)
    signals.send(
      tx,
      WAITING,
      elsewhere.map(({ lane }) => lane),
    );
  afterCommit(tx, () => runner.lookIn(0));
  return rows.map(({ id }) => id);
}

const rowOf = <Payload>(
  kind: JobKind<Payload>,
  { payload, lane, panelId, afterMs = 0 }: NewJob<Payload> & { lane: string },
  now: number,
): JobRow => ({
  id: randomUUID(),
  kind: kind.name,
  lane,
  panel_id: panelId ?? null,
  payload: JSON.stringify(payload),
  run_at: now + afterMs,
  attempts: 0,
  locked_until: null,
  claimed_by: null,
  failed_at: null,
  last_error: null,
  created_at: now,
});

const findWaiting = (tx: Tx, kind: string, lane: string, now: number) =>
  jobTables(tx)
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", kind)
    .where("lane", "=", lane)
    .where("failed_at", "is", null)
    .where("locked_until", "is", null)
    .where(isDue(momentsOf(now)))
    .executeTakeFirst();
