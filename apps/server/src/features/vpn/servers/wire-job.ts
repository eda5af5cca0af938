import type { Tx } from "../../../platform/database/database.ts";
import { type Jobs, jobKind } from "../../../platform/jobs.ts";
import type { ServerRow } from "./table.ts";

/** Compares the whole server with its desired state, and corrects it. `isRound`: by the clock, and not because of a change. */
export const reconcileServer = jobKind<{ serverId: string; isRound?: true }>("servers.reconcile", { underLease: true });

/** The lane of all work on a server's machine. It runs on the panel that holds the lease of that name. */
export const laneNameOf = (serverId: string) => `server:${serverId}`;

/** The same, and the panel that can reach the machine if no other can. */
export const laneOf = (server: ServerRow) => ({
  lane: laneNameOf(server.id),
  ...(server.panel_id === null ? {} : { panelId: server.panel_id }),
});

/** For a change of the server's desired state; returns the job's id. */
export const enqueueReconcile = (jobs: Jobs, tx: Tx, server: ServerRow): Promise<string> =>
  jobs.enqueue(tx, reconcileServer, { payload: { serverId: server.id }, ...laneOf(server) });
