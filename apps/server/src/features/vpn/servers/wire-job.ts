import type { Tx } from "../../../platform/database/database.ts";
import { type Jobs, jobKind } from "../../../platform/jobs.ts";
import type { ServerRow } from "./table.ts";

/** Compares the whole server with its desired state, and corrects it. `isRound`: by the clock, and not because of a change. */
export const reconcileServer = jobKind<{ serverId: string; isRound?: true }>("servers.reconcile", { underLease: true });

/** All work on one server's machine runs in one lane, on the panel that can reach it and holds the lease of that name. */
export const laneOf = (server: ServerRow) => ({
  lane: `server:${server.id}`,
  ...(server.panel_id === null ? {} : { panelId: server.panel_id }),
});

/** For a change of the server's desired state; returns the job's id. */
export const enqueueReconcile = (jobs: Jobs, tx: Tx, server: ServerRow): Promise<string> =>
  jobs.enqueue(tx, reconcileServer, { payload: { serverId: server.id }, ...laneOf(server) });
