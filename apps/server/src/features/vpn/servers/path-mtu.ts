import { HOUR_MS } from "@krug/domain/moment";
import type { Host } from "../../../hosts/host.ts";
import type { ServerParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServerRow } from "./table.ts";

/** Records how many bytes pass from servers unfragmented (docs/adr/0105-tunnels-fit-the-path.md). */
export function makePathMtu(parts: Pick<ServerParts, "db" | "transact" | "clock" | "signals">) {
  const measuredAt = new Map<string, number>();

  /** Null if its machine cannot tell. @throws HostFailure */
  const measure = async ({ id }: Pick<ServerRow, "id">, host: Host): Promise<number | null> => {
    const path = await host.pathMtu();
    const known = await repository.find(parts.db, id);
    // A server's first interface is prepared before the server is written.
    if (known === undefined) return path;
    measuredAt.set(id, parts.clock.now().getTime());
    if (known.path_mtu !== path) await parts.transact((tx) => repository.update(parts, tx, id, { path_mtu: path }));
    return path;
  };

  return {
    measure,
    /** If that was not done within the hour. */
    async keepMeasured(server: Pick<ServerRow, "id">, host: Host): Promise<void> {
      const last = measuredAt.get(server.id);
      if (last === undefined || parts.clock.now().getTime() - last >= HOUR_MS) await measure(server, host);
    },
  };
}
