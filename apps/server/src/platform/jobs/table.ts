import type { Reason } from "@krug/domain/reasons";
import type { Db, Transact, Tx } from "../database/database.ts";
import { preparedForList, preparedForRow } from "../database/prepared.ts";

export type JobTables = {
  leases: { name: string; holder: string; expires_at: number };
  jobs: {
    id: string;
    kind: string;
    lane: string;
    panel_id: string | null;
    payload: string;
    run_at: number;
    attempts: number;
    locked_until: number | null;
    /** The process that claimed it, named like a lease holder. */
    claimed_by: string | null;
    failed_at: number | null;
    last_error: Reason | null;
    created_at: number;
  };
};
export type JobRow = JobTables["jobs"];

export const jobTables = (over: Db | Tx) => over.withTables<JobTables>();

export const insertJob = preparedForRow<JobRow>((tx, row) => jobTables(tx).insertInto("jobs").values(row));
export const deleteJobs = preparedForList((db, ids) => jobTables(db).deleteFrom("jobs").where("id", "in", ids));

/** One panel takes over jobs waiting for another that will not come back. */
export async function takeOverJobs(tx: Tx, fromPanelId: string, panelId: string): Promise<void> {
  await jobTables(tx)
    .updateTable("jobs")
    .set({ panel_id: panelId, locked_until: null })
    .where("panel_id", "=", fromPanelId)
    .execute();
}

/** Unlocks this panel's own jobs after a crash; called once at start. */
export async function releaseOwnJobs(transact: Transact, panelId: string): Promise<void> {
  await transact((tx) =>
    jobTables(tx).updateTable("jobs").set({ locked_until: null }).where("panel_id", "=", panelId).execute(),
  );
}
