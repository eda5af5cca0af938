import { DONE, FAILED, type JobParts } from "./parts.ts";
import type { JobRunner } from "./runner.ts";
import { jobTables } from "./table.ts";

type Settled = (id: string, done: boolean) => void;

/** Lets callers wait until any panel has done their jobs; false if that took too long or one failed. */
export function makeAwaitJobs({ db, signals }: JobParts, { isUnderWay }: JobRunner) {
  // By job; several callers may wait for one.
  const waiting = new Map<string, Set<Settled>>();
  const settleAs = (done: boolean) => (ids: readonly string[]) => {
    for (const id of ids) for (const settle of waiting.get(id) ?? []) settle(id, done);
  };
  signals.on(DONE, settleAs(true));
  signals.on(FAILED, settleAs(false));

  /** A job may have finished before anyone started to wait for it. */
  const settleFinished = async (ids: readonly string[], settle: Settled) => {
    const unknown = ids.filter((id) => !isUnderWay(id));
    if (unknown.length === 0) return;
    const open = await jobTables(db).selectFrom("jobs").select("id").where("id", "in", unknown).execute();
    const openIds = new Set(open.map((row) => row.id));
    for (const id of unknown) if (!openIds.has(id)) settle(id, true);
  };

  return async (ids: readonly string[], withinMs: number): Promise<boolean> => {
    if (ids.length === 0) return true;
    const left = new Set(ids);
    let areDone = true;
    const { promise, resolve } = withResolvers();
    const settle: Settled = (id, done) => {
      if (!left.delete(id)) return;
      areDone &&= done;
      if (left.size === 0) resolve(areDone);
    };
    const timeout = setTimeout(() => resolve(false), withinMs);
    for (const id of ids) waiting.set(id, (waiting.get(id) ?? new Set()).add(settle));
    try {
      await settleFinished(ids, settle);
      return await promise;
    } finally {
      clearTimeout(timeout);
      for (const id of ids) {
        waiting.get(id)?.delete(settle);
        if (waiting.get(id)?.size === 0) waiting.delete(id);
      }
    }
  };
}

function withResolvers() {
  let resolve = (_: boolean) => {};
  const promise = new Promise<boolean>((then) => {
    resolve = then;
  });
  return { promise, resolve };
}
