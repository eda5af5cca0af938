import { afterCommit, type Tx } from "../database/database.ts";
import { isTroubled } from "../database/trouble.ts";
import { groupBy } from "../group-by.ts";
import { TakenOver } from "../held-leases.ts";
import { finishJobs, handBackJobs, postponeJobs } from "./end-jobs.ts";
import type { Handler, Handlers, JobParts } from "./parts.ts";
import type { JobRow } from "./table.ts";

export interface BatchOutcome {
  /** They failed, and run again or were given up. */
  postponed: JobRow[];
  /** Interrupted by database trouble: the database still has them as running. */
  adrift: JobRow[];
}

/** Runs claimed jobs of one lane, kind by kind. */
export async function runBatch(parts: JobParts, handlers: Handlers, rows: JobRow[]): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { postponed: [], adrift: [] };
  for (const [kind, ofKind] of groupBy(rows, (row) => row.kind)) {
    const handler = handlers.get(kind);
    if (handler === undefined) continue;
    try {
      if ((await runKind(parts, ofKind, handler)) === "postponed") outcome.postponed.push(...ofKind);
    } catch (error) {
      outcome.adrift.push(...ofKind);
      if (!isTroubled(error)) parts.log.error({ err: error, job: kind }, "the job runner failed");
    }
  }
  return outcome;
}

async function runKind(parts: JobParts, rows: JobRow[], handler: Handler): Promise<"postponed" | "ended"> {
  let hasEnded = false;
  const end = async (tx: Tx) => {
    finishJobs(parts, tx, rows);
    afterCommit(tx, () => {
      hasEnded = true;
    });
  };
  try {
    await handler.run(
      rows.map((row) => JSON.parse(row.payload) as never),
      end,
    );
  } catch (error) {
    // Nothing is wrong with the job itself.
    if (isTroubled(error)) throw error;
    if (error instanceof TakenOver) await handBackJobs(parts, rows);
    else await postponeJobs(parts, rows, handler, error);
    return error instanceof TakenOver ? "ended" : "postponed";
  }
  if (!hasEnded) await parts.transact(end);
  return "ended";
}
