import { VERSIONS_KEPT } from "@krug/domain/source-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { sourceChanged } from "./events.ts";
import * as repository from "./repository.ts";
import type { SourceRow } from "./table.ts";

/** Whoever changes services' lists, here or in the catalog, takes turns. */
export const LISTS_PLACE = "services";

export type Renew = ReturnType<typeof makeRenew>;

/** Puts other networks of a source in force, and `rest` with them. @throws Failure if a service cannot have them */
export const makeRenew =
  ({ clock, events }: Platform) =>
  async (tx: Tx, { id }: SourceRow, networks: readonly string[], rest: Partial<SourceRow>): Promise<void> => {
    const text = JSON.stringify(networks);
    await repository.update(tx, id, { ...rest, networks: text });
    await repository.addVersion(tx, { sourceId: id, networks: text, at: clock.now().getTime() }, VERSIONS_KEPT);
    await events.record(tx, sourceChanged, { serviceIds: await repository.servicesWith(tx, id) });
  };
