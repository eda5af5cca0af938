import { DAY_MS } from "@krug/domain/moment";
import type { Jobs } from "../jobs.ts";
import { makeAwaitJobs } from "./await-jobs.ts";
import { enqueueJob, enqueueJobs } from "./enqueue-job.ts";
import { readJobsStatus } from "./jobs-status.ts";
import type { Handler, JobParts } from "./parts.ts";
import { makeJobRunner } from "./runner.ts";
import { jobTables } from "./table.ts";

const MAX_ATTEMPTS = 12;
/** Long enough for someone to ask what went wrong. */
const GIVEN_UP_KEPT_MS = 7 * DAY_MS;

export function makeJobs(parts: JobParts): Jobs {
  const { db, clock } = parts;
  const handlers = new Map<string, Handler>();
  const runner = makeJobRunner(parts, handlers);
  return {
    handle({ name, underLease }, run, { maxAttempts = MAX_ATTEMPTS } = {}) {
      handlers.set(name, { run, maxAttempts, underLease });
    },
    enqueue: (tx, kind, job) => enqueueJob(parts, handlers, runner, tx, kind, job),
    enqueueAll: (tx, kind, jobs) => enqueueJobs(parts, runner, tx, kind, jobs),
    settled: makeAwaitJobs(parts, runner),
    status: () => readJobsStatus(db, clock.now().getTime()),
    async forgetOld() {
      const before = clock.now().getTime() - GIVEN_UP_KEPT_MS;
      await jobTables(db).deleteFrom("jobs").where("failed_at", "<", before).execute();
    },
    start: runner.start,
    stop: runner.stop,
    drain: runner.drain,
  };
}
