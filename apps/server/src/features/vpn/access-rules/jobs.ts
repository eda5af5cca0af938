import type { Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { laneOf } from "../servers/index.ts";
import { accessRulesChanged } from "./events.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** Brings this server's access rules up to the database's revision. */
export const applyAccessRules = jobKind<{ serverId: string }>("rules.apply", { underLease: true });

/** Whether all of them are VIP members. No ids means everybody. */
export const areVips = async ({ members }: Pick<AccessRuleParts, "members">, tx: Tx, memberIds: readonly string[]) =>
  memberIds.length > 0 && (await members.vipAmong(tx, memberIds)).size === memberIds.length;

/**
 * Records a new revision, and writes the jobs that bring it to the servers; answers their ids. `memberIds`: the only members it
 * concerns.
 */
export async function spread(parts: AccessRuleParts, tx: Tx, memberIds: readonly string[] = []): Promise<string[]> {
  const { jobs, servers, events } = parts;
  const isVips = await areVips(parts, tx, memberIds);
  await repository.nextRevision(tx, { isVips });
  await events.record(tx, accessRulesChanged, { isVips });
  const ids: string[] = [];
  for (const server of await servers.all(tx))
    ids.push(
      await jobs.enqueue(tx, applyAccessRules, {
        payload: { serverId: server.id },
        ...laneOf(server),
        unlessWaiting: true,
      }),
    );
  return ids;
}
