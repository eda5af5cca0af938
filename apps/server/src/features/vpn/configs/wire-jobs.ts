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
  const work = [
    ...configs.map((config) => ({
      interfaceId: config.interface_id,
      configId: config.id,
      gone: null as GoneKey | null,
    })),
    ...goneKeys.map((gone) => ({ interfaceId: gone.interfaceId, configId: null, gone })),
  ];
  const jobs = [...groupBy(work, (item) => places.get(item.interfaceId)?.server.id)].flatMap(([serverId, items]) => {
    const server = places.get(items[0]?.interfaceId ?? "")?.server;
    if (serverId === undefined || server === undefined) return [];
    const parts = Array.from({ length: Math.ceil(items.length / CONFIGS_PER_JOB) }, (_, at) =>
      items.slice(at * CONFIGS_PER_JOB, (at + 1) * CONFIGS_PER_JOB),
    );
    return parts.map((some) => ({
      payload: {
        serverId,
        configIds: some.flatMap((item) => item.configId ?? []),
        goneKeys: some.flatMap((item) => item.gone ?? []),
      },
      ...laneOf(server),
    }));
  });
  // A panel claims work on its own machine as it writes it.
  const [own, others] = [jobs.filter(isOfOnePanel), jobs.filter((job) => !isOfOnePanel(job))];
  const ids: string[] = [];
  for (const job of own) ids.push(await parts.jobs.enqueue(tx, applyConfigs, job));
  return [...ids, ...(await parts.jobs.enqueueAll(tx, applyConfigs, others))];
}

const isOfOnePanel = (job: { panelId?: string }) => job.panelId !== undefined;
