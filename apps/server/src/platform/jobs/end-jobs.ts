import { reasonLine } from "@krug/domain/reasons";
import { chunks } from "../database/chunks.ts";
import { beforeCommit, type Tx } from "../database/database.ts";
import { reasonOf } from "../failure.ts";
import { retryWaitMs } from "../jobs.ts";
import { DONE, FAILED, type Handler, type JobParts, WAITING } from "./parts.ts";
import { deleteJobs, type JobRow, jobTables } from "./table.ts";

/** By transaction, in which jobs of several lanes may end. */
const finished = new WeakMap<Tx, string[]>();

export function finishJobs({ signals }: JobParts, tx: Tx, rows: JobRow[]): void {
  const ids = rows.map((row) => row.id);
  signals.send(tx, DONE, ids);
  const known = finished.get(tx);
  if (known !== undefined) return void known.push(...ids);
  finished.set(tx, ids);
  beforeCommit(tx, async () => {
    for (const some of chunks(ids)) await deleteJobs(tx, some);
  });
}

/** They failed: they run again after a wait, or are given up. */
export async function postponeJobs(
  { transact, clock, log, signals }: JobParts,
  rows: JobRow[],
  { maxAttempts }: Handler,
  error: unknown,
): Promise<void> {
  const now = clock.now().getTime();
  const why = reasonOf(error);
  for (const { id, kind, attempts } of rows) {
    const givenUp = attempts >= maxAttempts;
    log.warn({ job: kind, attempts, givenUp, reason: reasonLine(why, "en") }, "a job failed");
    await transact(async (tx) => {
      await jobTables(tx)
        .updateTable("jobs")
        .set({
          locked_until: null,
          last_error: why,
          run_at: now + retryWaitMs(attempts),
          failed_at: givenUp ? now : null,
        })
        .where("id", "=", id)
        .execute();
      signals.send(tx, FAILED, [id]);
    });
  }
}

/** For the panel that now has the lane's lease. This does not count as a try. */
export async function handBackJobs({ transact, signals, heldLeases }: JobParts, rows: JobRow[]): Promise<void> {
  for (const some of chunks(rows))
    await transact(async (tx) => {
      await jobTables(tx)
        .updateTable("jobs")
        .set((e) => ({ locked_until: null, attempts: e("attempts", "-", 1) }))
        .where(
          "id",
          "in",
          some.map(({ id }) => id),
        )
        .where("claimed_by", "=", heldLeases.holder)
        .execute();
      signals.send(tx, WAITING, new Set(some.map(({ lane }) => lane)));
    });
}
