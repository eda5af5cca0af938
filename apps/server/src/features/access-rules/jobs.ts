import type { Tx } from "../../platform/database/database.ts";
import { jobKind } from "../../platform/jobs.ts";
import { laneOf } from "../servers/index.ts";
import { accessRulesChanged } from "./events.ts";
import type { AccessRuleParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** This server's access rules are older than those of the database. */
export const applyAccessRules = jobKind<{ serverId: string }>("rules.apply");

/** Notes that what servers should hold has changed, and writes the jobs that bring it there; answers their ids. */
export async function spread({ jobs, servers, events }: AccessRuleParts, tx: Tx): Promise<string[]> {
  await repository.nextRevision(tx);
  await events.record(tx, accessRulesChanged, null);
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
