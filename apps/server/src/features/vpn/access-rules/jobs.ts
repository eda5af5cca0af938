import type { Tx } from "../../../platform/database/database.ts";
import { jobKind } from "../../../platform/jobs.ts";
import { laneOf } from "../servers/index.ts";
import { accessRulesChanged } from "./events.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** This server's access rules are older than those of the database. */
export const applyAccessRules = jobKind<{ serverId: string }>("rules.apply", { underLease: true });

/** Are all of them VIP members? Without any it is about everybody. */
export const areVips = async ({ members }: Pick<AccessRuleParts, "members">, tx: Tx, memberIds: readonly string[]) =>
  memberIds.length > 0 && (await members.vipAmong(tx, memberIds)).size === memberIds.length;

/**
 * Notes that what servers should hold has changed, and writes the jobs that bring it there; answers their ids. `memberIds`:
 * whom alone it concerns.
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
