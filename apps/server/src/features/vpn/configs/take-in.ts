import { randomUUID } from "node:crypto";
import { type DeviceType, whyNotConfigName } from "@krug/domain/config-rules";
import { readAddress } from "@krug/wireguard/addresses";
import type { PresharedKey, PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { hostNumbersOf, type InterfaceRow, placeName } from "../interfaces/index.ts";
import * as addresses from "./addresses.ts";
import { countOff } from "./dormant-repository.ts";
import { configCreated, configsChanged } from "./events.ts";
import { givenKeys } from "./keys.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { type ConfigRow, NEW_CONFIG } from "./table.ts";

/** A device that another program made, and its owner here. */
export interface GivenDevice {
  memberId: string;
  name: string;
  deviceType: DeviceType;
  publicKey: PublicKey;
  /** Null if only the device has it. */
  privateKey: PrivateKey | null;
  presharedKey: PresharedKey | null;
  /** Bare, one of the interface's for devices. */
  address: string;
  addressV6?: string | null;
  /** Whether the other program had it switched off. */
  isOff?: boolean;
  /** Until when the other program let it work, ms; it may have passed. */
  endsAt?: number | null;
  /** Raw counters of its peer, if that is on the wire already: bytes from before it was the club's. */
  counters: { rxBytes: number; txBytes: number } | undefined;
}

/** A new interface's devices, or one that a restored panel found, whose address is already reserved. */
type How = "config.moved_in" | "config.taken_in";

/**
 * Makes configs of members from devices of a new interface, with their keys and addresses. They may exceed a member's limit: they
 * work already. Their routes are in their own settings, so they have no services until somebody chooses some.
 * @throws Refusal
 */
export function makeTakeIn(parts: ConfigParts) {
  const { clock, clubTime, events, audit, members, interfaces, catalog, sealing, traffic } = parts;
  return async (
    tx: Tx,
    actor: { memberId: string | null },
    place: InterfaceRow,
    devices: readonly GivenDevice[],
    how: How = "config.moved_in",
  ): Promise<void> => {
    const memberIds = [...new Set(devices.map(({ memberId }) => memberId))].sort();
    const owners = new Map((await members.lockAll(tx, memberIds)).map((row) => [row.id, row]));
    if (owners.size < memberIds.length) refuse("member.not_found");
    const [dns] = await catalog.dns(tx);
    if (dns === undefined || (await catalog.holdDns(tx, dns.id)) === undefined) refuse("dns.unknown", { field: "dns" });
    const places = await interfaces.places(tx);
    const ofInterfaces = new Set([...places.values()].map((one) => one.interface.public_key));
    const known = places.get(place.id);
    const seal = await sealing.sealer(tx);
    const now = clock.now().getTime();
    const keysTaken = await repository.lockKeys(
      tx,
      devices.map(({ publicKey }) => publicKey),
    );
    const namesTaken = await repository.nameKeysOf(tx, memberIds);
    const made = devices.map(({ memberId, name, deviceType, address, addressV6 = null, endsAt = null, ...given }) => {
      const { isOff = false, counters, ...keys } = given;
      const hasEnded = endsAt !== null && endsAt <= now;
      const name_key = name.toLowerCase();
      const names = namesTaken.get(memberId) ?? new Set();
      if (whyNotConfigName(name) !== null) refuse("config.name_invalid", { field: "devices" });
      if (names.has(name_key)) refuse("import.name_taken", { field: "devices", name });
      const isTaken = ofInterfaces.has(keys.publicKey) || keysTaken.has(keys.publicKey);
      if (isTaken) refuse("import.device_refused", { name });
      namesTaken.set(memberId, names.add(name_key));
      keysTaken.add(keys.publicKey);
      const id = randomUUID();
      const row: ConfigRow = {
        id,
        member_id: memberId,
        name,
        name_key,
        device_type: deviceType,
        interface_id: place.id,
        dns_id: dns.id,
        address,
        address_v6: addressV6,
        ...givenKeys(seal, id, keys),
        ...NEW_CONFIG,
        ends_at: endsAt,
        ends_by: endsAt === null ? null : actor.memberId,
        has_ended: Number(hasEnded),
        dormant_since: hasEnded ? now : null,
        is_blocked: isOff && !hasEnded ? 1 : (owners.get(memberId)?.configs_blocked ?? 0),
        delivered_at: now,
        idempotency_key: null,
        idempotency_body: null,
        made_by: null,
        created_at: now,
      };
      return { row, counters };
    });
    const rows = made.map(({ row }) => row);
    await repository.insertAll(tx, rows);
    await events.recordAll(tx, configCreated, rows.map(created));
    const ended = rows.flatMap(({ id, has_ended }) => (has_ended === 1 ? [id] : []));
    await countOff(tx, ended, clubTime.dayOf(now));
    await traffic.startAllNew(
      tx,
      made.map(({ row, counters }) => ({ configId: row.id, publicKey: row.public_key, standing: counters })),
    );
    await audit.recordAll(
      tx,
      rows.map(({ id, member_id, name }) => ({
        actorId: actor.memberId,
        action: how,
        target: id,
        memberId: member_id,
        after: { name, interface: known === undefined ? place.name : placeName(known) },
      })),
    );
    const numbers = devices.map(({ address }) => Number(readAddress(address)?.value));
    if (how === "config.moved_in") await addresses.noteGaps(tx, place.id, hostNumbersOf(place.subnet), numbers);
    await events.record(tx, configsChanged, { memberIds });
  };
}

const created = ({ id, member_id, interface_id, device_type }: ConfigRow) => ({
  id,
  member_id,
  interface_id,
  device_type,
});
