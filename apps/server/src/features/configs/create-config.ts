import { randomUUID } from "node:crypto";
import type { NewConfigInput } from "@krug/contract/configs";
import { addressesRunLow, LOW_AT_MOST } from "@krug/domain/address-pool";
import { whyNoNewConfig, whyNotConfigName } from "@krug/domain/config-rules";
import { fitsPhone, servicesFor } from "@krug/domain/phone-limit";
import { formatAddress } from "@krug/wireguard/addresses";
import { addressInV6For } from "@krug/wireguard/free-address";
import type { Transact, Tx } from "../../platform/database/database.ts";
import { refuse, refuseIf } from "../../platform/refusal.ts";
import { capacityOf, hostNumbersOf } from "../interfaces/index.ts";
import { isTelegramConnected, standingOf } from "../members/index.ts";
import * as addresses from "./addresses.ts";
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
  const { clock, events, settings, members, jobs, interfaces, sealing, telegram, traffic } = parts;
  return (
    transact: Transact,
    memberId: string,
    wish: NewConfigInput,
    idempotencyKey: string | null,
  ): Promise<Changed> =>
    transact(async (tx) => {
      // The lock keeps two tabs from both taking the last free slot.
      const member = (await members.lock(tx, memberId)) ?? refuse("member.not_found");
      // As the schema reads it, so a new field is compared too.
      const body = JSON.stringify(wish);
      const earlier =
        idempotencyKey === null ? undefined : await repository.byIdempotencyKey(tx, memberId, idempotencyKey);
      if (earlier !== undefined) {
        if (earlier.idempotency_body !== body) refuse("request.idempotency_mismatch");
        return { config: earlier, jobIds: [] };
      }
      const now = clock.now();
      const club = await settings.read(tx);
      // For a member without a limit it only matters whether there are any.
      const configCount = await repository.countOf(tx, memberId, Math.max(1, member.config_limit));
      const standing = {
        ...standingOf(member, club),
        telegramRequired: await telegram.isRequired(tx, club),
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
      // Nobody else can have one that was just made here.
      if (wish.publicKey !== undefined && (await isKeyTaken(interfaces, tx, keys.public_key)))
        refuse("config.key_taken", { field: "publicKey" });
      // The row lock keeps one address from being handed out twice, and the interface and its subnet as they are.
      const held = await interfaces.lock(tx, place.interface.id);
      const { subnet, subnet_v6 } = held ?? refuse("interface.unknown", { field: "interfaceId" });
      const hosts = hostNumbersOf(subnet);
      const take = () => addresses.takeAddress(tx, place.interface.id, hosts);
      const number =
        (await take()) ??
        ((await giveBackHeld(tx, place.interface.id, now)) ? await take() : null) ??
        refuse(...noAddressOn(wish.interfaceId));
      const address = formatAddress(4, BigInt(number));
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
        leaving_key: null,
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
      await traffic.startNew(tx, id, config.public_key);
      await events.record(tx, configsChanged, { memberIds: [memberId] });
      const free = await addresses.countFree(tx, place.interface.id, hosts, LOW_AT_MOST);
      if (addressesRunLow(free, capacityOf(subnet)))
        await events.record(tx, addressesRanLow, {
          interfaceId: place.interface.id,
          name: place.interface.name,
          server: place.server.name,
          free,
        });
      const known = new Map([[place.interface.id, place]]);
      const jobIds = await enqueueApply({ jobs, interfaces }, tx, [config], [], known);
      return { config, jobIds };
    });
}

/** Frees an address held only for a deleted config, which then cannot be restored. false: there is none. */
async function giveBackHeld(tx: Tx, interfaceId: string, now: Date): Promise<boolean> {
  const held = await addresses.lockLongestDeleted(tx, interfaceId);
  if (held === undefined) return false;
  await addresses.purge(tx, [held.id], now.getTime());
  return true;
}

/** The refusal depends on whether the member named an interface. */
const noAddressOn = (interfaceId: string | undefined): Parameters<typeof refuse> =>
  interfaceId === undefined ? ["interface.none_available"] : ["interface.full", { field: "interfaceId" }];

/** Ids of services that a device of this kind can have together. @throws Refusal */
export async function checkedServices(
  { catalog }: ConfigParts,
  tx: Tx,
  wish: Pick<NewConfigInput, "deviceType" | "services">,
): Promise<string[]> {
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
  if (interfaceId === undefined) {
    const usable = open.filter((place) => whyUnusable(place, 0) === null);
    // Taking an address tells whether the only one is full; counting its devices would cost more the more it has.
    const chosen = usable.length > 1 ? leastLoaded(usable, await addresses.load(tx)) : usable[0];
    return chosen ?? refuse("interface.none_available");
  }
  const place = open.find((candidate) => candidate.interface.id === interfaceId);
  if (place === undefined) {
    const exists = (await interfaces.find(tx, interfaceId)) !== undefined;
    refuse(exists ? "interface.not_available" : "interface.unknown", { field: "interfaceId" });
  }
  if (whyUnusable(place, 0) !== null) refuse("interface.inactive", { field: "interfaceId" });
  return place;
}
