import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { checkedServices } from "./create-config.ts";
import { configChoiceChanged, configServicesChanged, configsChanged } from "./events.ts";
import { makeMoves } from "./move-config.ts";
import type { ConfigParts } from "./parts.ts";
import * as peers from "./peers-repository.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

/** Writes a config's services, if they differ from those chosen before. */
export async function setServices(
  { events }: Pick<ConfigParts, "events">,
  tx: Tx,
  configId: string,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  await repository.setServices(tx, configId, after);
  await events.record(tx, configServicesChanged, {
    configId,
    removed: before.filter((id) => !after.includes(id)),
    added: after.filter((id) => !before.includes(id)),
  });
}

/** Chooses a device's services for its owner, if its server routes: its file then stays as it is. */
export function makeChooseServices(parts: ConfigParts) {
  const { transact, events, interfaces, members, audit } = parts;
  const { lockToMove } = makeMoves(parts);
  return (actor: Actor, id: string, wished: readonly string[]): Promise<ConfigRow> =>
    transact(async (tx) => {
      const [found] = await peers.byIds(tx, [id]);
      // The owner first, as in every change of configs.
      const owner = found && (await members.lock(tx, found.member_id));
      const row = await lockToMove(tx, id);
      if (owner === undefined || row === undefined || row.deleted_at !== null) refuse("config.not_found");
      if (!(await interfaces.routedIds(tx)).includes(row.interface_id)) refuse("config.not_routed");
      const before = (await repository.servicesOf(tx, [id])).get(id) ?? [];
      const after = await checkedServices(parts, tx, { deviceType: row.device_type, services: [...wished] });
      if (after.length === before.length && before.every((each) => after.includes(each))) return row;
      await setServices(parts, tx, id, { before, after });
      await events.record(tx, configChoiceChanged, { interfaceIds: [row.interface_id] });
      await events.record(tx, configsChanged, { memberIds: [row.member_id] });
      await audit.record(tx, actor.memberId, "config.services_chosen", {
        target: id,
        memberId: row.member_id,
        before: { name: row.name, services: before },
        after: { name: row.name, services: after },
      });
      return row;
    });
}
