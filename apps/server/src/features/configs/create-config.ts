import { randomUUID } from "node:crypto";
import type { NewConfigInput } from "@krug/contract/configs";
import { addressesRunLow } from "@krug/domain/address-pool";
import { whyNoNewConfig, whyNotConfigName } from "@krug/domain/config-rules";
import { fitsPhone, servicesFor } from "@krug/domain/phone-limit";
import { addressInV6For, firstFreeAddress } from "@krug/wireguard/free-address";
import type { Tx } from "../../platform/database/database.ts";
import { refuse, refuseIf } from "../../platform/refusal.ts";
import { capacityOf } from "../interfaces/index.ts";
import { isTelegramConnected, standingOf } from "../members/index.ts";
import type { Changed } from "./change-config.ts";
import { leastLoaded, whyUnusable } from "./choose-interface.ts";
import { addressesRanLow, configsChanged } from "./events.ts";
import { isKeyTaken, newKeys } from "./keys.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";
import { enqueueApply } from "./wire-jobs.ts";

/** Makes a config: limit, name, address, keys and the job that applies it, all in one transaction (decisions, section 6). */
export function makeCreateConfig(parts: ConfigParts) {
  const { transact, clock, events, settings, members, jobs, interfaces, sealing, telegram, traffic } = parts;
  return (memberId: string, wish: NewConfigInput, idempotencyKey: string | null): Promise<Changed> =>
    transact(async (tx) => {
      // The lock keeps two tabs from both taking the last free slot.
      const member = (await members.lock(tx, memberId)) ?? refuse("member.not_found");
      const body = JSON.stringify([
        wish.name,
        wish.deviceType,
        wish.services,
        wish.dns,
        wish.interfaceId ?? null,
        wish.publicKey ?? null,
      ]);
      const earlier =
        idempotencyKey === null ? undefined : await repository.byIdempotencyKey(tx, memberId, idempotencyKey);
      if (earlier !== undefined) {
        if (earlier.idempotency_body !== body) refuse("request.idempotency_mismatch");
        return { config: earlier, jobIds: [] };
      }
      const now = clock.now();
      const configCount = await repository.countOf(tx, memberId);
      const standing = {
        ...standingOf(member, await settings.read(tx)),
        telegramRequired: await telegram.isRequired(tx),
        telegramLinked: isTelegramConnected(member),
        configsBlocked: member.configs_blocked === 1,
        configLimit: member.config_limit,
        configCount,
      };
      refuseIf(whyNoNewConfig(standing, now));
      if (whyNotConfigName(wish.name) !== null) refuse("config.name_invalid", { field: "name" });
      if (await repository.isNameTaken(tx, memberId, wish.name)) refuse("config.name_taken", { field: "name" });
      const serviceIds = await checkedServices(parts, tx, wish);
      if ((await parts.catalog.holdDns(tx, wish.dns)) === undefined) refuse("dns.unknown", { field: "dns" });
      const place = await chosenPlace(parts, tx, memberId, wish.interfaceId);

      const id = randomUUID();
      const keys = newKeys(await sealing.sealer(tx), id, wish.publicKey);
      if (await isKeyTaken(interfaces, tx, keys.public_key)) refuse("config.key_taken", { field: "publicKey" });
      // The row lock keeps one address from being handed out twice, and the interface and its subnet as they are.
      const held = await interfaces.lock(tx, place.interface.id);
      const { subnet, subnet_v6 } = held ?? refuse("interface.unknown", { field: "interfaceId" });
      const taken = await repository.addressesOn(tx, place.interface.id);
      const address = firstFreeAddress(subnet, taken) ?? (await takeBack(tx, place.interface.id, now));
      const config: ConfigRow = {
        id,
        member_id: memberId,
        name: wish.name,
        name_key: wish.name.toLowerCase(),
        device_type: wish.deviceType,
        interface_id: place.interface.id,
        dns_id: wish.dns,
        address,
        address_v6: subnet_v6 === null ? null : addressInV6For(address, subnet, subnet_v6),
        ...keys,
        is_blocked: 0,
        on_wire: 0,
        // A browser gets the file in this very answer, and never again.
        delivered_at: wish.publicKey === undefined ? null : now.getTime(),
        is_stale: 0,
        idempotency_key: idempotencyKey,
        idempotency_body: idempotencyKey === null ? null : body,
        deleted_at: null,
        deleted_by: null,
        created_at: now.getTime(),
      };
      await repository.insert(tx, config, serviceIds);
      await traffic.startFromZero(tx, [{ configId: id, publicKey: config.public_key }]);
      await events.record(tx, configsChanged, { memberIds: [memberId] });
      const capacity = capacityOf(subnet);
      if (addressesRunLow(taken.length + 1, capacity))
        await events.record(tx, addressesRanLow, {
          interfaceId: place.interface.id,
          name: place.interface.name,
          server: place.server.name,
          free: Math.max(0, capacity - taken.length - 1),
        });
      const jobIds = await enqueueApply({ jobs, interfaces }, tx, [config]);
      return { config, jobIds };
    });
}

/** Without a free address, one that is only held for a deleted config, which then cannot be brought back. */
async function takeBack(tx: Tx, interfaceId: string, now: Date): Promise<string> {
  const held = (await repository.lockLongestDeleted(tx, interfaceId)) ?? refuse("interface.full");
  await repository.purge(tx, [held.id], now.getTime());
  return held.address;
}

async function checkedServices({ catalog }: ConfigParts, tx: Tx, wish: NewConfigInput): Promise<string[]> {
  const ids = [...new Set(wish.services)];
  const services = await catalog.holdServices(tx, ids);
  if (services.length !== ids.length) refuse("service.unknown", { field: "services" });
  const suitable = servicesFor(wish.deviceType, services);
  const unsuitable = services.find((service) => !suitable.includes(service));
  if (unsuitable !== undefined) refuse("service.wrong_device", { field: "services", name: unsuitable.name });
  if (wish.deviceType === "phone" && !fitsPhone(services)) refuse("config.phone_limit", { field: "services" });
  return ids;
}

async function chosenPlace({ interfaces }: ConfigParts, tx: Tx, memberId: string, interfaceId: string | undefined) {
  const open = await interfaces.openTo(tx, memberId);
  const load = await repository.load(tx);
  if (interfaceId === undefined) return leastLoaded(open, load) ?? refuse("interface.none_available");
  const place = open.find((candidate) => candidate.interface.id === interfaceId);
  if (place === undefined) {
    const exists = (await interfaces.find(tx, interfaceId)) !== undefined;
    refuse(exists ? "interface.not_available" : "interface.unknown", { field: "interfaceId" });
  }
  const unusable = whyUnusable(place, load.get(interfaceId) ?? 0);
  if (unusable === "full") refuse("interface.full", { field: "interfaceId" });
  if (unusable !== null) refuse("interface.inactive", { field: "interfaceId" });
  return place;
}
