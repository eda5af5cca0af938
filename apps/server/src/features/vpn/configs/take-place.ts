import { addressesRunLow, LOW_AT_MOST } from "@krug/domain/address-pool";
import { formatAddress } from "@krug/wireguard/addresses";
import { addressInV6For } from "@krug/wireguard/free-address";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { capacityOf, hostNumbersOf, type Place } from "../interfaces/index.ts";
import * as addresses from "./addresses.ts";
import { preferredPlace, whyUnusable } from "./choose-interface.ts";
import { addressesRanLow } from "./events.ts";
import type { ConfigParts } from "./parts.ts";
import type { ConfigRow } from "./table.ts";

/** The interface that a member named, or their preferred one. @throws Refusal */
export async function chosenPlace(
  { interfaces, templates }: Pick<ConfigParts, "interfaces" | "templates">,
  tx: Tx,
  memberId: string,
  interfaceId: string | undefined,
): Promise<Place> {
  const open = await interfaces.openTo(tx, memberId);
  if (interfaceId === undefined) {
    const usable = open.filter((place) => whyUnusable(place, 0) === null);
    // Taking an address shows whether the only one is full; counting its devices costs more the more it has.
    const suggested = async () => (await templates.begunWith(tx, memberId))?.interfaceId;
    const chosen =
      usable.length > 1
        ? preferredPlace(usable, await addresses.load(tx, usable), { suggested: await suggested() })
        : usable[0];
    return chosen ?? refuse("interface.none_available");
  }
  const place = open.find((candidate) => candidate.interface.id === interfaceId);
  if (place === undefined) {
    const exists = (await interfaces.find(tx, interfaceId)) !== undefined;
    refuse(exists ? "interface.not_available" : "interface.unknown", { field: "interfaceId" });
  }
  const { first_look_due, name } = place.interface;
  if (first_look_due === 1) refuse("interface.awaits_look", { field: "interfaceId", name });
  if (whyUnusable(place, 0) !== null) refuse("interface.inactive", { field: "interfaceId" });
  return place;
}

interface Taken {
  columns: Pick<ConfigRow, "interface_id" | "address" | "address_v6">;
  /** To be called once the columns are written. */
  tellIfLow(): Promise<void>;
}

/** Takes an address for a device. `isNamed`: somebody chose the interface. @throws Refusal if none is left */
export async function takePlace(
  { clock, events, interfaces }: Pick<ConfigParts, "clock" | "events" | "interfaces">,
  tx: Tx,
  place: Place,
  isNamed: boolean,
): Promise<Taken> {
  const { id, name } = place.interface;
  if (place.interface.first_look_due === 1) refuse("interface.awaits_look", { name });
  // The row lock keeps one address from being assigned twice, and the interface and its subnet from changing.
  const { subnet, subnet_v6 } =
    (await interfaces.lock(tx, id)) ?? refuse("interface.unknown", { field: "interfaceId" });
  const hosts = hostNumbersOf(subnet);
  const take = () => addresses.takeAddress(tx, id, hosts);
  const taken =
    (await take()) ??
    ((await giveBackHeld(tx, id, clock.now())) ? await take() : null) ??
    (isNamed ? refuse("interface.full", { field: "interfaceId" }) : refuse("interface.none_available"));
  const address = formatAddress(4, BigInt(taken.number));
  const address_v6 = subnet_v6 === null ? null : addressInV6For(address, subnet, subnet_v6);
  return {
    columns: { interface_id: id, address, address_v6 },
    async tellIfLow() {
      const free = await addresses.countFree(tx, id, hosts, { taken, most: LOW_AT_MOST });
      if (addressesRunLow(free, capacityOf(subnet)))
        await events.record(tx, addressesRanLow, { interfaceId: id, name, server: place.server.name, free });
    },
  };
}

/** Frees an address held only for a deleted config, which then cannot be restored. False: there is none. */
async function giveBackHeld(tx: Tx, interfaceId: string, now: Date): Promise<boolean> {
  const held = await addresses.lockLongestDeleted(tx, interfaceId);
  if (held === undefined) return false;
  await addresses.purge(tx, [held.id], now.getTime());
  return true;
}
