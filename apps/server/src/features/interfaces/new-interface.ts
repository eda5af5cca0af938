import { randomUUID } from "node:crypto";
import { firstFreePort, firstFreeSubnet, nextInterfaceName } from "@krug/wireguard/free-address";
import { generateKeyPair } from "@krug/wireguard/keys";
import type { Occupied } from "../../hosts/host.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Sealing } from "../../platform/sealing.ts";
import type { InterfaceRow } from "./table.ts";

/** Where an interface's private key is sealed to. */
export const privateKeyPlace = (id: string) => `interfaces.private_key:${id}`;

/**
 * A new 'Interface N' with the next free name, port and subnet, clear of what the machine and the server's other
 * interfaces use (decisions, section 7).
 * Null when the machine has no free subnet or port left.
 */
export function newInterface(
  parts: { sealing: Sealing; clock: Clock },
  serverId: string,
  existing: readonly InterfaceRow[],
  occupied: Occupied,
): InterfaceRow | null {
  const id = randomUUID();
  const keys = generateKeyPair();
  const port = firstFreePort([...occupied.udpPorts, ...existing.map((row) => row.listen_port)]);
  const subnet = firstFreeSubnet([...occupied.subnets, ...existing.map((row) => row.subnet)]);
  if (port === null || subnet === null) return null;
  return {
    id,
    server_id: serverId,
    name: nextName(existing.map(({ name }) => name)),
    type: "wireguard",
    parameters: "{}",
    interface_name: nextInterfaceName([...occupied.interfaceNames, ...existing.map((row) => row.interface_name)]),
    listen_port: port,
    subnet,
    subnet_v6: null,
    endpoint: null,
    mtu: null,
    public_key: keys.publicKey,
    sealed_private_key: parts.sealing.seal(privateKeyPlace(id), keys.privateKey),
    is_active: 1,
    conflict: null,
    created_at: parts.clock.now().getTime(),
    deleted_at: null,
  };
}

/** 'Interface N', N being one more than there are (admin-side, section 9); where one of them is called so already, the next. */
function nextName(existing: readonly string[]): string {
  let number = existing.length + 1;
  while (existing.includes(`Interface ${number}`)) number += 1;
  return `Interface ${number}`;
}
