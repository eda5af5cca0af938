import type { ServerAnswer } from "@krug/contract/vpn/servers";
import { reason } from "@krug/domain/reasons";
import { type Host, HostFailure, type MachineState } from "../../../hosts/host.ts";
import { refuseBecause } from "../../../platform/refusal.ts";
import { makeContact } from "./add-server.ts";
import type { Connections } from "./connections.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { needsSetup } from "./status.ts";
import type { ServerRow } from "./table.ts";
import { enqueueReconcile } from "./wire-job.ts";

interface Seen {
  hostName: string;
  stats: NonNullable<ServerAnswer["stats"]>;
}

/** How long a repeated request waits for a server that did not answer. */
const TRY_MS = 5_000;

/** Live numbers of the machines that this panel reaches, as last read; kept in memory only. */
export function makeMachines({
  clock,
  jobs,
  transact,
  hostOf,
  connections,
  countryOf,
  ...parts
}: Pick<ServerParts, "clock" | "jobs" | "transact" | "remotes" | "signals"> & {
  hostOf(server: ServerRow): Host | null;
  connections: Connections;
  /** ISO code of an address, from local data. */
  countryOf(address: string): Promise<string | null>;
}) {
  const seen = new Map<string, Seen>();
  return {
    of: (serverId: string): Seen | null => seen.get(serverId) ?? null,
    /** Reads them now; a server that did not answer is retried in full. @throws Refusal `server.unreachable` */
    async refresh(server: ServerRow): Promise<void> {
      if (needsSetup(server) && server.is_prepared === 0) {
        const { columns } = await makeContact({ ...parts, clock }, await connections.targetOf(server));
        const change = { ...columns, about: columns.about ?? server.about };
        await transact((tx) => repository.update(parts, tx, server.id, change));
        return;
      }
      const host = hostOf(server) ?? refuseBecause("server.unreachable", reason("panel.another"));
      const state = await host.readMachine().catch((error: unknown) => {
        if (!(error instanceof HostFailure)) throw error;
        return refuseBecause("server.unreachable", error.why);
      });
      const country = state.address === null ? null : await countryOf(state.address);
      seen.set(server.id, { hostName: state.hostName, stats: statsOf(state, country, clock.now()) });
      if (server.unreachable_since === null) return;
      await jobs.settled([await transact((tx) => enqueueReconcile(jobs, tx, server))], TRY_MS);
    },
  };
}

const statsOf = (state: MachineState, geolocation: string | null, now: Date): Seen["stats"] => ({
  cpu: { usage: Math.min(100, Math.max(0, state.cpuUsage)), cores: state.cores },
  memory: { total: state.memory.total, used: state.memory.total - state.memory.free, free: state.memory.free },
  uptime: state.uptimeS,
  load: [...state.load],
  network_in: state.network.in,
  network_out: state.network.out,
  geolocation,
  ip_address: state.address,
  readAt: now.toISOString(),
});
