import { randomInt, randomUUID } from "node:crypto";
import type { ExitLink } from "@krug/domain/routing-rules";
import { formatAddress, requireCidr } from "@krug/wireguard/addresses";
import { amneziaMtu } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { firstFreePort, freeSubnetV6 } from "@krug/wireguard/free-address";
import type { DesiredInterface } from "@krug/wireguard/interface";
import type { PrivateKey, PublicKey } from "@krug/wireguard/key-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { mtuForPath } from "@krug/wireguard/path-mtu";
import type { TunnelParameters } from "@krug/wireguard/protocol";
import type { Occupied } from "../../../hosts/host.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened, type Seal, type Sealing } from "../../../platform/sealing.ts";
import type { LinkRow } from "./table.ts";

/*
 * A link is a WireGuard or AmneziaWG interface on either machine, with the other as its only peer. The entry begins: it knows the exit's
 * address, and the exit answers wherever the entry's packets come from. Both keep sending, so silence means that the way is cut.
 */

/** For benchmarks between networks (RFC 2544): no club's members, and nothing on the internet, has such an address. */
const POOL = requireCidr("198.18.0.0/15");
const FIRST_PORT = 52_820;
/** Both sides send at least this often. */
export const KEEPALIVE_S = 10;
/** 0 and 1 are not a link's: connections without an exit, and those that leave from the entry itself. */
const NUMBERS = Array.from({ length: 253 }, (_, index) => index + 2);

const keyPlace = (side: Side, id: string) => `exit_links.${side}_key:${id}`;
export const sealedInExits: SealedColumn[] = (["entry", "exit"] as const).map((side) => ({
  table: "exit_links",
  column: `sealed_${side}_key`,
  key: ["id"],
  place: ({ id = "" }) => keyPlace(side, id),
}));

export type Side = "entry" | "exit";

/** Of a link's interface on its machine: named by where it leads. */
export const linkName = ({ number }: Pick<LinkRow, "number">, side: Side): string =>
  side === "entry" ? `exit${number}` : `entry${number}`;

/** Where a link's echoes leave from: IPv6 if the exit is reached by it, since that one may have nothing else. */
export const echoAddress = (row: LinkRow): string =>
  addressesOf(row, "entry", true)[row.address.includes(":") ? 1 : 0]?.address ?? "";

const addressesOf = ({ subnet, subnet_v6 }: LinkRow, side: Side, hasV6: boolean) =>
  [subnet, ...(hasV6 ? [subnet_v6] : [])].map((cidr) => {
    const { family, first, prefix } = requireCidr(cidr);
    return {
      address: formatAddress(family, first + (side === "exit" ? 1n : 2n)),
      prefix,
      length: family === 4 ? 32 : 128,
    };
  });

/** One side's interface as it should be. `path`: the smaller of both machines', in bytes. */
export function desiredSide(
  sealing: Sealing,
  row: LinkRow,
  side: Side,
  { path, hasV6 }: { path: number | null; hasV6: boolean },
): DesiredInterface {
  const isEntry = side === "entry";
  const peer = isEntry
    ? {
        publicKey: row.exit_public_key as PublicKey,
        allowedIps: ["0.0.0.0/0", "::/0"],
        endpoint: { host: row.address, port: row.exit_port },
      }
    : {
        publicKey: row.entry_public_key as PublicKey,
        allowedIps: addressesOf(row, "entry", hasV6).map(({ address, length }) => `${address}/${length}`),
      };
  return {
    name: linkName(row, side),
    privateKey: opened(sealing, {
      place: keyPlace(side, row.id),
      text: isEntry ? row.sealed_entry_key : row.sealed_exit_key,
    }) as PrivateKey | null,
    publicKey: (isEntry ? row.entry_public_key : row.exit_public_key) as PublicKey,
    listenPort: isEntry ? row.entry_port : row.exit_port,
    addresses: addressesOf(row, side, hasV6).map(({ address, prefix }) => `${address}/${prefix}`),
    ...kindOf(row, path),
    peers: [{ ...peer, presharedKey: null, keepaliveS: KEEPALIVE_S }],
    ...(isEntry && { isExit: true }),
  };
}

/** Its MTU is said for AmneziaWG, since the padding of each link is another. */
function kindOf(
  { type, parameters: text }: LinkRow,
  path: number | null,
): Pick<DesiredInterface, "type" | "parameters" | "mtu"> {
  if (type === "wireguard") return { mtu: mtuForPath(path) };
  const parameters = JSON.parse(text) as TunnelParameters;
  const usual = amneziaMtu({ parameters });
  return { type, parameters, mtu: mtuForPath(path, usual) ?? usual };
}

/** The version without a secret: its messages have sizes and types of their own, and look like QUIC at first. */
const drawParameters = (type: ExitLink): TunnelParameters =>
  type === "wireguard" ? {} : generateProfile("2.0", "quic", randomInt).parameters;

/** New keys for both sides, and a new disguise. */
export function newKeys(seal: Seal, id: string, now: number, type: ExitLink) {
  const [entry, exit] = [generateKeyPair(), generateKeyPair()];
  return {
    type,
    parameters: JSON.stringify(drawParameters(type)),
    entry_public_key: entry.publicKey,
    sealed_entry_key: seal(keyPlace("entry", id), entry.privateKey),
    exit_public_key: exit.publicKey,
    sealed_exit_key: seal(keyPlace("exit", id), exit.privateKey),
    keys_at: now,
  };
}

/** What a machine uses already; null if it could not be asked. */
export type Used = Pick<Occupied, "udpPorts" | "subnets" | "interfaceNames"> | null;

/** A new link, clear of all others and of what both machines use; null if there is no room for one. */
export function newLink(
  seal: Seal,
  now: number,
  ends: { entryId: string; exitId: string; address: string; type: ExitLink },
  { links, entry, exit }: { links: readonly LinkRow[]; entry: Used; exit: Used },
): LinkRow | null {
  const number = NUMBERS.find(
    (each) =>
      !links.some((link) => link.number === each) &&
      !entry?.interfaceNames.includes(linkName({ number: each }, "entry")) &&
      !exit?.interfaceNames.includes(linkName({ number: each }, "exit")),
  );
  const portsOf = (serverId: string) =>
    links.flatMap((link) => [
      ...(link.entry_id === serverId ? [link.entry_port] : []),
      ...(link.exit_id === serverId ? [link.exit_port] : []),
    ]);
  const entryPort = firstFreePort([...portsOf(ends.entryId), ...(entry?.udpPorts ?? [])], FIRST_PORT);
  const exitPort = firstFreePort([...portsOf(ends.exitId), ...(exit?.udpPorts ?? [])], FIRST_PORT);
  if (number === undefined || entryPort === null || exitPort === null) return null;
  const id = randomUUID();
  return {
    id,
    number,
    entry_id: ends.entryId,
    exit_id: ends.exitId,
    subnet: `${formatAddress(4, POOL.first + 4n * BigInt(number))}/30`,
    subnet_v6: freeSubnetV6([...(entry?.subnets ?? []), ...(exit?.subnets ?? [])]),
    address: ends.address,
    exit_port: exitPort,
    entry_port: entryPort,
    ...newKeys(seal, id, now, ends.type),
    entry_conflict: null,
    exit_conflict: null,
    // Until it first answers.
    down_since: now,
    has_answered: 0,
    gone_since: null,
    stuck_since: null,
    created_at: now,
  };
}
