import { randomUUID } from "node:crypto";
import type { NewConfigInput } from "@krug/contract/vpn/configs";
import { type DeviceType, whyNoNewConfig, whyNotConfigName } from "@krug/domain/config-rules";
import { fitsDevice, servicesFor } from "@krug/domain/phone-limit";
import type { Transact, Tx } from "../../../platform/database/database.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { isTelegramConnected, standingOf } from "../../members/members/index.ts";
import type { Place } from "../interfaces/index.ts";
import { configCreated, configsChanged } from "./events.ts";
import { isKeyTaken, newKeys } from "./keys.ts";
import type { Changed, ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { type ConfigRow, NEW_CONFIG } from "./table.ts";
import { chosenPlace, takePlace } from "./take-place.ts";
import { enqueueApply } from "./wire-jobs.ts";

/** The staff member who makes a config for someone else; `handOver` runs in the same transaction. */
export interface MadeBy {
  staffId: string;
  handOver(tx: Tx, config: ConfigRow, isNew: boolean): Promise<void>;
}

/** Makes a config: limit, name, address, keys and the job that applies it, all in one transaction (decisions, section 6). */
export function makeCreateConfig(parts: ConfigParts) {
  const { clock, events, settings, members, jobs, interfaces, sealing, telegram, traffic } = parts;
  return (
    transact: Transact,
    memberId: string,
    wish: NewConfigInput,
    idempotencyKey: string | null,
    madeBy?: MadeBy,
  ): Promise<Changed> =>
    transact(async (tx) => {
      // The lock keeps two tabs from both taking the last slot.
      const member = (await members.lock(tx, memberId)) ?? refuse("member.not_found");
      // As the schema reads it, so that new fields are compared too.
      const body = JSON.stringify(wish);
      const earlier =
        idempotencyKey === null ? undefined : await repository.byIdempotencyKey(tx, memberId, idempotencyKey);
      if (earlier !== undefined) {
        if (earlier.idempotency_body !== body) refuse("request.idempotency_mismatch");
        await madeBy?.handOver(tx, earlier, false);
        return { config: earlier, jobIds: [] };
      }
      const now = clock.now();
      const club = await settings.read(tx);
      // For an unlimited member it only matters whether there are any.
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
      await refuseOverPhone(parts, tx, place, wish.deviceType, serviceIds);

      const id = randomUUID();
      const keys = newKeys(await sealing.sealer(tx), id, wish.publicKey);
      // A key made here just now cannot be taken.
      if (wish.publicKey !== undefined && (await isKeyTaken(interfaces, tx, keys.public_key)))
        refuse("config.key_taken", { field: "publicKey" });
      const { columns, tellIfLow } = await takePlace(parts, tx, place, wish.interfaceId !== undefined);
      const config: ConfigRow = {
        id,
        member_id: memberId,
        name: wish.name,
        name_key: wish.name.toLowerCase(),
        device_type: wish.deviceType,
        dns_id: wish.dns,
        ...columns,
        ...keys,
        ...NEW_CONFIG,
        is_blocked: 0,
        // A browser gets the file in this answer only.
        delivered_at: wish.publicKey === undefined ? null : now.getTime(),
        idempotency_key: idempotencyKey,
        idempotency_body: idempotencyKey === null ? null : body,
        made_by: madeBy?.staffId ?? null,
        created_at: now.getTime(),
      };
      await repository.insert(tx, config, serviceIds);
      await madeBy?.handOver(tx, config, true);
      await traffic.startNew(tx, id, config.public_key);
      await events.record(tx, configCreated, config);
      await events.record(tx, configsChanged, { memberIds: [memberId] });
      await tellIfLow();
      const known = new Map([[place.interface.id, place]]);
      const jobIds = await enqueueApply({ jobs, interfaces }, tx, [config], [], known);
      return { config, jobIds };
    });
}

/** Ids of services that a device of this kind can combine. @throws Refusal */
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
  return ids;
}

/** @throws Refusal if a phone's file cannot hold so many addresses */
export async function refuseOverPhone(
  { catalog }: ConfigParts,
  tx: Tx,
  place: Place,
  deviceType: DeviceType,
  serviceIds: readonly string[],
): Promise<void> {
  const { routing } = place.interface;
  if (!fitsDevice({ deviceType, routing }, await catalog.servicesByIds(tx, serviceIds)))
    refuse("config.phone_limit", { field: "services" });
}
