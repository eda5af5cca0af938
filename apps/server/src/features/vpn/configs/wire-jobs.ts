import type { Tx } from "../../../platform/database/database.ts";
import { groupBy } from "../../../platform/group-by.ts";
import { type Jobs, jobKind } from "../../../platform/jobs.ts";
import type { Interfaces, Place } from "../interfaces/index.ts";
import { laneOf } from "../servers/index.ts";

/** A key that must leave the wire although no row has it any more. */
export interface GoneKey {
  configId: string;
  interfaceId: string;
  publicKey: string;
}

/** These configs of one server may have to move on or off the wire. */
export interface ApplyConfigs {
  serverId: string;
  configIds: string[];
  goneKeys: GoneKey[];
}

export const applyConfigs = jobKind<ApplyConfigs>("configs.apply", { underLease: true });

const CONFIGS_PER_JOB = 1_000;

/** Writes the jobs that bring these configs to their desired state; answers their ids. `known`: their places, if already read. */
export async function enqueueApply(
  parts: { jobs: Jobs; interfaces: Interfaces },
  tx: Tx,
  configs: readonly { id: string; interface_id: string }[],
  goneKeys: readonly GoneKey[] = [],
  known?: ReadonlyMap<string, Place>,
): Promise<string[]> {
  if (configs.length === 0 && goneKeys.length === 0) return [];
  const places = known ?? (await parts.interfaces.places(tx));
  const ids: string[] = [];
  const work = [
    ...configs.map((config) => ({
      interfaceId: config.interface_id,
      configId: config.id,
      gone: null as GoneKey | null,
    })),
    ...goneKeys.map((gone) => ({ interfaceId: gone.interfaceId, configId: null, gone })),
  ];
  for (const [serverId, items] of groupBy(work, (item) => places.get(item.interfaceId)?.server.id)) {
    const server =
      serverId === undefined ? undefined : [...places.values()].find((place) => place.server.id === serverId)?.server;
    if (server === undefined) continue;
    for (let start = 0; start < items.length; start += CONFIGS_PER_JOB) {
      const some = items.slice(start, start + CONFIGS_PER_JOB);
      const payload: ApplyConfigs = {
        serverId: server.id,
        configIds: some.flatMap((item) => (item.configId === null ? [] : [item.configId])),
        goneKeys: some.flatMap((item) => (item.gone === null ? [] : [item.gone])),
      };
      ids.push(await parts.jobs.enqueue(tx, applyConfigs, { payload, ...laneOf(server) }));
    }
  }
  return ids;
}
