import type { Host } from "../../../hosts/host.ts";
import type { HeldLease } from "../../../platform/held-leases.ts";
import type { ServerRow } from "../servers/index.ts";

/** One piece of work on a server: nothing else here and no other panel works on it meanwhile. */
export interface Turn {
  server: ServerRow;
  host: Host;
  lease: HeldLease;
}

/** Runs `work` when the server's turn comes; false if another panel works on it. */
export type InTurnOn = (server: ServerRow, host: Host, work: (turn: Turn) => Promise<void>) => Promise<boolean>;
