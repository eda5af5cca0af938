import type { Db } from "../database/database.ts";
import { groupBy } from "../group-by.ts";
import type { JobsStatus } from "../jobs.ts";
import { jobTables } from "./table.ts";

export async function readJobsStatus(db: Db, now: number): Promise<JobsStatus> {
  const rows = await jobTables(db)
    .selectFrom("jobs")
    .select(["kind", "last_error", "failed_at"])
    .select(({ fn }) => [fn.countAll().as("count"), fn.min("run_at").as("first")])
    .groupBy(["kind", "last_error", "failed_at"])
    .execute();
  const sum = (some: typeof rows) => some.reduce((all, { count }) => all + Number(count), 0);
  const waiting = rows.filter(({ failed_at }) => failed_at === null);
  const troubled = groupBy(
    rows.filter(({ last_error }) => last_error !== null),
    ({ kind }) => kind,
  );
  const due = waiting.map(({ first }) => Number(first)).filter((at) => at <= now);
  return {
    waiting: sum(waiting),
    failing: sum(waiting.filter(({ last_error }) => last_error !== null)),
    failed: sum(rows) - sum(waiting),
    oldestDueAt: due.length === 0 ? null : Math.min(...due),
    troubled: [...troubled].map(([kind, some]) => ({
      kind,
      count: sum(some),
      lastError: some.at(-1)?.last_error ?? null,
    })),
  };
}
