import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { configMovedByStaff, configsChanged } from "./events.ts";
import { isOtherApp, makeMoves } from "./move-config.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import { chosenPlace } from "./take-place.ts";

/**
 * Moves a member's device to another interface that the member may use, and notifies the member. Only if the panel has the key:
 * otherwise only the owner's browser could write the new file.
 */
export function makeMoveFor(parts: ConfigParts) {
  const { transact, events, interfaces, members } = parts;
  const { lockToMove, moveByStaff } = makeMoves(parts);
  return (actor: Actor, id: string, interfaceId: string): Promise<Changed> =>
    transact(async (tx) => {
      const [found] = await peers.byIds(tx, [id]);
      // The owner first, as in every change of configs.
      const owner = found && (await members.lock(tx, found.member_id));
      const row = await lockToMove(tx, id);
      if (owner === undefined || row === undefined || row.deleted_at !== null) refuse("config.not_found");
      if (row.interface_id === interfaceId) return { config: row, jobIds: [] };
      if (row.sealed_private_key === null) refuse("config.key_in_browser");
      const place = await chosenPlace(parts, tx, owner.id, interfaceId);
      const needsAmneziawg = isOtherApp((await interfaces.find(tx, row.interface_id))?.type, place);
      const moved = await moveByStaff(tx, row, place, actor.memberId);
      const { name, moves_until: until } = moved.config;
      if (actor.memberId !== owner.id)
        await events.record(tx, configMovedByStaff, { memberId: owner.id, name, until, needsAmneziawg });
      await events.record(tx, configsChanged, { memberIds: [owner.id] });
      return moved;
    });
}
