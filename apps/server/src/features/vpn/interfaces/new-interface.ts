import { randomUUID } from "node:crypto";
import { firstColumns } from "@krug/domain/fields/field";
import { INTERFACE_FIELDS } from "@krug/domain/fields/interface";
import { cidrsOverlap } from "@krug/wireguard/addresses";
import { type AmneziaProfile, amneziaMtu } from "@krug/wireguard/amneziawg";
import { firstFreePort, firstFreeSubnet, freeSubnetV6, nextInterfaceName } from "@krug/wireguard/free-address";
import type { PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { mtuForPath } from "@krug/wireguard/path-mtu";
import type { Occupied } from "../../../hosts/host.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { Seal } from "../../../platform/sealing.ts";
import { PLAIN, profileColumns, sealedInProfiles } from "./profile.ts";
import type { InterfaceRow } from "./table.ts";

/** What an interface's sealed private key is bound to. */
export const privateKeyPlace = (id: string) => `interfaces.private_key:${id}`;
export const sealedInInterfaces: SealedColumn[] = [
  ...sealedInProfiles,
  { table: "interfaces", column: "sealed_private_key", key: ["id"], place: ({ id = "" }) => privateKeyPlace(id) },
];

/** Prepared after an inspection of its machine; its secrets are sealed in the transaction that writes it. */
export interface DrawnInterface {
  row: Omit<InterfaceRow, "sealed_private_key" | "sealed_header_key" | "type" | "parameters">;
  privateKey: PrivateKey;
  /** Absent: plain WireGuard. */
  profile?: AmneziaProfile | undefined;
}

export const sealedRow = ({ row, privateKey, profile }: DrawnInterface, seal: Seal): InterfaceRow => ({
  ...row,
  sealed_private_key: seal(privateKeyPlace(row.id), privateKey),
  ...(profile ? profileColumns(seal, row.id, profile) : PLAIN),
});

/** The choices for a new interface. */
export interface Wished {
  /** Prefix length of its IPv4 subnet. */
  prefix?: number | undefined;
  /** Absent: whether its machine has only IPv6. */
  ipv6?: boolean | undefined;
  profile?: AmneziaProfile | undefined;
  endpoint?: string | null | undefined;
  /** Absent: by the devices. */
  routed?: Partial<Pick<InterfaceRow, "routing" | "rest_exit" | "exit_down" | "exit_link">> | undefined;
  /** Absent: what fits its server's path. */
  mtu?: number | null | undefined;
}

/** A machine as inspected for a new interface; `path` as answered by `Host.pathMtu`. */
export interface Seen {
  occupied: Occupied;
  path: number | null;
  /** IPv4 does not leave it. */
  hasOnlyV6: boolean;
}

/**
 * A new 'Interface N' with the next free name, port and subnet, clear of what the machine and the server's other interfaces use
 * (decisions, section 7). Null if the machine has no free subnet or port left.
 */
export function newInterface(
  clock: Clock,
  serverId: string,
  existing: readonly InterfaceRow[],
  { occupied, path, hasOnlyV6 }: Seen,
  {
    prefix,
    ipv6 = hasOnlyV6,
    profile,
    endpoint = null,
    routed,
    mtu = mtuForPath(path, profile && amneziaMtu(profile)),
  }: Wished = {},
): DrawnInterface | null {
  const port = firstFreePort([...occupied.udpPorts, ...existing.map((row) => row.listen_port)]);
  const subnet = firstFreeSubnet([...occupied.subnets, ...existing.map((row) => row.subnet)], prefix);
  if (port === null || subnet === null) return null;
  const { publicKey, privateKey } = generateKeyPair();
  const interfaceName = freeInterfaceName(existing, occupied);
  const subnetV6 = ipv6 ? drawSubnetV6(existing, occupied) : null;
  const row = rowOf(clock, serverId, existing, { interfaceName, publicKey, port, subnet, subnetV6, mtu });
  return { row: { ...row, endpoint, ...routed }, privateKey, profile };
}

/** Whether another interface of the server has its name or port, or a network that overlaps one of its networks. */
export const isPlaceTaken = (row: Place, others: readonly InterfaceRow[]): boolean =>
  others.some(
    (other) =>
      other.interface_name === row.interface_name ||
      other.listen_port === row.listen_port ||
      networksOf(other).some((theirs) => networksOf(row).some((own) => cidrsOverlap(own, theirs))),
  );
type Place = Pick<InterfaceRow, "interface_name" | "listen_port" | "subnet" | "subnet_v6">;
const networksOf = ({ subnet, subnet_v6 }: Place) => (subnet_v6 === null ? [subnet] : [subnet, subnet_v6]);

/** `occupied`: null if the machine cannot be asked. */
export const drawSubnetV6 = (existing: readonly InterfaceRow[], occupied: Occupied | null): string =>
  freeSubnetV6([...(occupied?.subnets ?? []), ...existing.flatMap((row) => row.subnet_v6 ?? [])]);

interface Properties {
  interfaceName: string;
  publicKey: PublicKey;
  port: number;
  subnet: string;
  subnetV6: string | null;
  mtu: number | null;
}

/** An active interface with the next name. */
export const rowOf = (
  clock: Clock,
  serverId: string,
  existing: readonly InterfaceRow[],
  { interfaceName, publicKey, port, subnet, subnetV6, mtu }: Properties,
): DrawnInterface["row"] => ({
  id: randomUUID(),
  server_id: serverId,
  name: nextName(existing.map(({ name }) => name)),
  interface_name: interfaceName,
  listen_port: port,
  subnet,
  subnet_v6: subnetV6,
  endpoint: null,
  mtu,
  public_key: publicKey,
  ...firstColumns(INTERFACE_FIELDS),
  is_active: 1,
  conflict: null,
  takes_new: 1,
  first_look_due: 0,
  created_at: clock.now().getTime(),
  deleted_at: null,
  given_back: 0,
});

export const freeInterfaceName = (existing: readonly InterfaceRow[], { interfaceNames }: Occupied): string =>
  nextInterfaceName([...interfaceNames, ...existing.map((row) => row.interface_name)]);

/** 'Interface N', where N is one more than there are (specification, operator's side 9), or the next free N. */
function nextName(existing: readonly string[]): string {
  let number = existing.length + 1;
  while (existing.includes(`Interface ${number}`)) number += 1;
  return `Interface ${number}`;
}
