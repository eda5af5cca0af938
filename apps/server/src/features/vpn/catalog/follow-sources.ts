import { MOST_NETWORKS } from "@krug/domain/catalog-rules";
import { failure } from "../../../platform/failure.ts";
import type { Platform } from "../../../platform/platform.ts";
import { type Sources, sourceChanged } from "../sources/index.ts";
import { networksOf } from "./check-entry.ts";
import { compositionOf } from "./composition.ts";
import { catalogChanged, serviceChange } from "./events.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  sources: Pick<Sources, "ofService">;
}

/** A source has other networks, and so have its services. One that would have too many keeps the source from changing. */
export function followSources(parts: Parts): void {
  const { events } = parts;
  events.on(sourceChanged, async (tx, { serviceIds }) => {
    for (const id of serviceIds) {
      const row = await repository.lockService(tx, id);
      if (row === undefined) continue;
      const { given, found } = await compositionOf(parts, tx, row);
      const networks = networksOf(given, found);
      if (networks.length === 0) throw failure("source.nothing_left", { service: row.name });
      if (networks.length > MOST_NETWORKS)
        throw failure("source.too_many_together", { service: row.name, count: networks.length, most: MOST_NETWORKS });
      const ips = JSON.stringify(networks);
      if (ips === row.ips) continue;
      await repository.updateService(parts, tx, id, { ips });
      await events.record(tx, catalogChanged, serviceChange(row, { ips }));
    }
  });
}
