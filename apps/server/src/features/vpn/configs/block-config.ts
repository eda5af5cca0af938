import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { configsChanged } from "./events.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import { enqueueApply } from "./wire-jobs.ts";

/** Blocks or unblocks one device, whatever its owner's other devices do. Repeating it changes nothing. */
export function makeBlockConfig(parts: ConfigParts) {
  const { transact, events, jobs, interfaces, members, audit, auth } = parts;
  return (actor: Actor, id: string, isBlocked: boolean): Promise<Changed> =>
    transact(async (tx) => {
      const [found] = await peers.byIds(tx, [id]);
      // The owner first, as in every change of configs.
      const owner = found && (await members.lock(tx, found.member_id));
      const config = await repository.lockAny(tx, id);
      if (owner === undefined || config === undefined || config.deleted_at !== null) refuse("config.not_found");
      if ((config.is_blocked === 1) === isBlocked) return { config, jobIds: [] };
      const rows = await repository.setBlockedWithPlaces(tx, id, isBlocked);
      if (isBlocked) await auth.voidConfigLinks(tx, [id]);
      await audit.record(tx, actor.memberId, isBlocked ? "config.blocked" : "config.unblocked", {
        target: id,
        memberId: config.member_id,
        after: { name: config.name },
      });
      await events.record(tx, configsChanged, { memberIds: [config.member_id] });
      return {
        config: { ...config, is_blocked: Number(isBlocked) },
        jobIds: await enqueueApply({ jobs, interfaces }, tx, rows),
      };
    });
}
