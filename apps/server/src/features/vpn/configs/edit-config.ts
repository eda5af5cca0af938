import type { ConfigChangeInput } from "@krug/contract/vpn/configs";
import { whyNotConfigName } from "@krug/domain/config-rules";
import { DAY_MS } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Place } from "../interfaces/index.ts";
import { setServices } from "./choose-services.ts";
import { refuseUnknownRoutes } from "./config-text.ts";
import { checkedServices, refuseOverPhone } from "./create-config.ts";
import { makeDeviceEnd } from "./device-end.ts";
import { configChoiceChanged, configsChanged } from "./events.ts";
import { makeMoves } from "./move-config.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { chosenPlace } from "./take-place.ts";
import { enqueueApply } from "./wire-jobs.ts";

const OTHER_TYPE_WINDOW_MS = 14 * DAY_MS;

/**
 * Renames a member's own config, or changes until when it works or what its file is written from. Keys and traffic stay. Services and DNS are only in the
 * file; another interface is a move (move-config.ts). Returns whether the file changed, and the jobs of a move.
 */
export function makeEditConfig(parts: ConfigParts) {
  const { transact, clock, events, interfaces, jobs, members, catalog } = parts;
  const { setEnd } = makeDeviceEnd(parts);
  const { lockToMove, moveConfig } = makeMoves(parts);

  const checkedName = async (tx: Tx, row: ConfigRow, name: string) => {
    if (whyNotConfigName(name) !== null) refuse("config.name_invalid", { field: "name" });
    const name_key = name.toLowerCase();
    if (name_key !== row.name_key && (await repository.isNameTaken(tx, row.member_id, name)))
      refuse("config.name_taken", { field: "name" });
    return { name, name_key };
  };

  /** Another type of tunnel needs another app, so the member gets longer. */
  const moveTo = async (tx: Tx, row: ConfigRow, to: Place): Promise<Changed> => {
    const before = await interfaces.find(tx, row.interface_id);
    const isOtherType = before?.type !== to.interface.type;
    const until = isOtherType ? clock.now().getTime() + OTHER_TYPE_WINDOW_MS : undefined;
    return moveConfig(tx, row, to, row.member_id, until);
  };

  return (actor: Actor, id: string, wish: ConfigChangeInput): Promise<Changed & { isNewFile: boolean }> =>
    transact(async (tx) => {
      const { memberId } = actor;
      // Locked as in a creation: two names cannot become the same.
      if ((await members.lock(tx, memberId)) === undefined) refuse("config.not_found");
      // Locked before they are read: no bytes are counted for the old services or interface meanwhile.
      const needsPast = wish.services !== undefined || wish.interfaceId !== undefined;
      const row = await (needsPast ? lockToMove(tx, id) : repository.lockAny(tx, id));
      if (row === undefined || row.member_id !== memberId || row.deleted_at !== null) refuse("config.not_found");

      const named = wish.name === undefined || wish.name === row.name ? {} : await checkedName(tx, row, wish.name);
      const chosen = (await repository.servicesOf(tx, [id])).get(id) ?? [];
      const wished = new Set(wish.services ?? chosen);
      const isSame = wished.size === chosen.length && chosen.every((service) => wished.has(service));
      const services = isSame
        ? chosen
        : await checkedServices(parts, tx, { deviceType: row.device_type, services: [...wished] });
      const dns_id = wish.dns ?? row.dns_id;
      if (dns_id !== row.dns_id && (await catalog.holdDns(tx, dns_id)) === undefined)
        refuse("dns.unknown", { field: "dns" });

      const here = (await interfaces.places(tx)).get(row.interface_id);
      const moves = wish.interfaceId !== undefined && wish.interfaceId !== row.interface_id;
      const to = moves ? await chosenPlace(parts, tx, memberId, wish.interfaceId) : here;
      if (!isSame && to !== undefined) await refuseOverPhone(parts, tx, to, row.device_type, services);
      const { config, jobIds } = moves && to !== undefined ? await moveTo(tx, row, to) : { config: row, jobIds: [] };

      const isInFile = to?.interface.routing !== "server";
      const isNewFile = moves || (isInFile && !isSame) || dns_id !== row.dns_id;
      if (isNewFile) refuseUnknownRoutes(services);
      // If only the device has the key, the answer is the only file, as after a creation.
      const isGivenOut = isNewFile && row.sealed_private_key === null;
      const columns = {
        ...named,
        dns_id,
        ...(isNewFile && row.delivered_at !== null ? { is_stale: 1 } : {}),
        ...(isGivenOut ? { is_stale: 0, delivered_at: clock.now().getTime() } : {}),
      };
      await repository.update(tx, id, columns);
      if (!isSame) await setServices(parts, tx, id, { before: chosen, after: services });
      if (!isSame || dns_id !== row.dns_id)
        await events.record(tx, configChoiceChanged, { interfaceIds: [row.interface_id, config.interface_id] });
      await events.record(tx, configsChanged, { memberIds: [memberId] });
      if (wish.until === undefined) return { config: { ...config, ...columns }, jobIds, isNewFile };
      const end = await setEnd(tx, row, wish.until, null);
      const woken = await enqueueApply({ jobs, interfaces }, tx, end.woken);
      return { config: { ...config, ...columns, ...end.columns }, jobIds: [...jobIds, ...woken], isNewFile };
    });
}
