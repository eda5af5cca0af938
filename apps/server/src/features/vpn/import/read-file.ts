import type { StrangeDevice } from "@krug/contract/vpn/import";
import { whyNotConfigName } from "@krug/domain/config-rules";
import { covers, formatCidr, parseCidr, readAddress } from "@krug/wireguard/addresses";
import { parseAmneziaClients } from "@krug/wireguard/amnezia-clients";
import type { AmneziaFault } from "@krug/wireguard/amneziawg";
import { faultsOfGiven } from "@krug/wireguard/amneziawg-given";
import type { ActualPeer } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import { type FilePart, inFile, joinParts, type PeerDetails, partOf } from "@krug/wireguard/moved-files";
import { type ServerFile, ServerFileError, type ServerFilePeer } from "@krug/wireguard/server-file";
import { readTunnelSubnet } from "@krug/wireguard/tunnel-subnet";
import { parseWgEasy } from "@krug/wireguard/wg-easy-file";
import { parseWgQuick } from "@krug/wireguard/wg-quick-file";
import { Refusal, refuse } from "../../../platform/refusal.ts";
import { hostNumbersOf, shownFault } from "../interfaces/index.ts";
import { DATABASE_PREFIX, type Reader, readDatabase } from "./read-database.ts";

/** A device of the file, as far as the file shows whether it can be imported. */
export interface FileDevice extends ServerFilePeer {
  /** Bare IPv4, null if it has not exactly one of its own. */
  address: string | null;
  losesV6: boolean;
  strange: Exclude<StrangeDevice, "key_taken"> | null;
  suggestedName: string;
}

export interface ReadFile extends Omit<ServerFile, "addresses"> {
  /** Canonical, of a size that the club supports. */
  subnet: string;
}

const NAME_MAX = 15;
/** A network that no file names starts at this prefix, and widens up to WIDEST_PREFIX to hold all devices. */
const USUAL_PREFIX = 24;
const WIDEST_PREFIX = 16;
/** Each is read by a process of its own. */
const MOST_DATABASES = 4;
/** At most this many networks of a file are compared; no real interface has more. */
const MOST_NETWORKS = 32;

/** Files of one interface by their names, or the text of one. */
export type GivenFiles = string | readonly { name: string; content: string }[];

/** `clientsTable`: AmneziaVPN's table of devices, if given. @throws Refusal that says what is wrong with which file */
export async function readFile(given: GivenFiles, clientsTable?: string, reader?: Reader): Promise<ReadFile> {
  const { addresses, ...file } = await parsed(given, reader).catch((error) => refused(error));
  const table = clientsTable === undefined ? new Map<string, never>() : parseAmneziaClients(clientsTable);
  if (table === null) refuse("import.names_unreadable", { field: "clientsTable" });
  const subnet = subnetOf(addresses, file.peers) ?? refuse("interface.subnet_invalid", { field: "file" });
  const others = addresses.filter((address) => parseCidr(address)?.family === 4 && !covers([subnet], address));
  return {
    ...file,
    subnet,
    ignored: [...file.ignored, ...others.map((address) => `Address = ${address}`)],
    peers: file.peers.map((peer) => ({ ...peer, ...table.get(peer.publicKey) })),
  };
}

/**
 * The devices of a file as WireGuard treats them: of two with one address the last has it. `running`: the peers of the running
 * interface, which override the file; null if it does not run.
 */
export function devicesOf(file: ReadFile, running: readonly ActualPeer[] | null): FileDevice[] {
  const peers = running === null ? file.peers : asItRuns(file.peers, running);
  const isUp = running && new Set<string>(running.map(({ publicKey }) => publicKey));
  const counts = (peer: ServerFilePeer) => (isUp ? isUp.has(peer.publicKey) : peer.isEnabled);
  const holders = new Map<string, string>();
  // The last device that counts gets an address; one that does not count gets it only if nobody else has it.
  for (const peer of [...peers.filter((one) => !counts(one)), ...peers.filter(counts)])
    for (const network of peer.allowedIps) holders.set(network, peer.publicKey);
  const names = new Set<string>();
  return peers.map((peer, index) => {
    const held = peer.allowedIps.filter((network) => holders.get(network) === peer.publicKey);
    const { address, losesV6 } = addressOf(held);
    const strange = whyStrange(file, peer, { address, hasLost: held.length < peer.allowedIps.length });
    return { ...peer, address, losesV6, strange, suggestedName: suggestedName(peer.name, index, names) };
  });
}

/** The first reason why a device cannot be imported. `hasLost`: another one has the address that the file gives it. */
function whyStrange(
  { publicKey, subnet }: Pick<ReadFile, "publicKey" | "subnet">,
  peer: ServerFilePeer,
  { address, hasLost }: { address: string | null; hasLost: boolean },
): FileDevice["strange"] {
  if (peer.publicKey === publicKey) return "twice";
  if (peer.isBroken) return "unreadable";
  if (address === null) return hasLost ? "replaced" : "networks";
  return isForDevices(address, subnet) ? null : "address";
}

/** With the networks and preshared keys that they have on the machine, and with peers that the file does not have. */
function asItRuns(peers: readonly ServerFilePeer[], running: readonly ActualPeer[]): ServerFilePeer[] {
  const there = new Map(running.map((peer) => [peer.publicKey, peer]));
  const known = peers.map((peer): ServerFilePeer => {
    const found = there.get(peer.publicKey);
    there.delete(peer.publicKey);
    if (found === undefined) return peer;
    const { allowedIps, presharedKey } = found;
    return { ...peer, allowedIps, presharedKey, isBroken: false, isEnabled: true };
  });
  const unknown = [...there.values()].filter(({ allowedIps }) => allowedIps.length > 0);
  const more = { name: null, privateKey: null, isBroken: false, isEnabled: true, endsAt: null };
  return [
    ...known,
    ...unknown.map(({ publicKey, presharedKey, allowedIps }) => ({ ...more, publicKey, presharedKey, allowedIps })),
  ];
}

async function parsed(given: GivenFiles, reader?: Reader): Promise<ServerFile> {
  if (typeof given === "string") return alone(given, reader);
  if (given.filter(({ content }) => content.startsWith(DATABASE_PREFIX)).length > MOST_DATABASES)
    throw new ServerFileError("unreadable");
  const parts: FilePart[] = [];
  for (const { name, content } of given) {
    if (content.startsWith(DATABASE_PREFIX)) parts.push(...(await databaseParts(name, content, reader)));
    else parts.push(partOf({ name, text: content }));
  }
  return joinParts(parts);
}

async function alone(text: string, reader?: Reader): Promise<ServerFile> {
  if (text.startsWith(DATABASE_PREFIX)) return joinParts(await databaseParts("", text, reader));
  if (parseAmneziaClients(text) !== null) throw new ServerFileError("names");
  return text.trimStart().startsWith("{") ? parseWgEasy(text) : parseWgQuick(text);
}

async function databaseParts(name: string, url: string, reader?: Reader): Promise<FilePart[]> {
  const read = await readDatabase(url.slice(DATABASE_PREFIX.length), reader).catch((error) => {
    throw name === "" ? error : inFile(name, error);
  });
  if (!("tables" in read)) return [{ name, kind: "server", file: read }];
  const ends = Object.entries(read.ends).map(([key, endsAt]) => [key as PublicKey, { endsAt }] as const);
  return [
    { name, kind: "tables", tables: read.tables },
    { name, kind: "details", of: new Map<PublicKey, PeerDetails>(ends) },
  ];
}

function refused(error: unknown): never {
  if (!(error instanceof ServerFileError)) throw error;
  const refusal = refusalOf(error);
  const { file } = error;
  if (file === null) throw refusal;
  const [ru, en] = [refusal.sentence("ru"), refusal.sentence("en")];
  throw new Refusal("import.file_wrong", { field: "file", file, why: en }, { ru: { why: ru }, en: { why: en } });
}

function refusalOf({ reason, at }: ServerFileError): Refusal {
  const field = "file";
  if (reason === "line") return new Refusal("import.line_wrong", { field, line: at });
  if (reason === "missing") return new Refusal("import.field_missing", { field, name: at });
  if (reason === "outdated") return new Refusal("import.amneziawg_outdated", { field, names: at });
  if (reason === "program") return new Refusal("import.other_program", { field, program: at });
  if (reason === "several") return new Refusal("import.several", { field, names: at });
  return new Refusal(PLAIN[reason], { field });
}

const PLAIN = {
  device: "import.device_file",
  names: "import.names_only",
  no_server: "import.no_server",
  unreadable: "import.unreadable",
} as const;

/**
 * The network of the interface's address; of several, the one with most devices. If the file gives no prefix, the narrowest usual
 * one that holds it and its devices. Null if the club does not support that size.
 */
function subnetOf(addresses: readonly string[], peers: readonly ServerFilePeer[]): string | null {
  const own = addresses.flatMap((address) => parseCidr(address) ?? []).filter(({ family }) => family === 4);
  const told = [...new Set(own.filter(({ prefix }) => prefix < 32).map(formatCidr))].slice(0, MOST_NETWORKS);
  const devicesIn = (network: string) =>
    peers.filter((peer) => peer.allowedIps.some((ip) => covers([network], ip))).length;
  const [fullest] = told.toSorted((one, other) => devicesIn(other) - devicesIn(one));
  if (fullest !== undefined) return readTunnelSubnet(fullest);
  const hosts = [...own, ...peers.flatMap(({ allowedIps }) => allowedIps.flatMap((each) => parseCidr(each) ?? []))]
    .filter(({ family, prefix }) => family === 4 && prefix === 32)
    .map(({ network }) => `${network}/32`);
  const [first] = hosts;
  if (first === undefined) return null;
  const around = (prefix: number) => readTunnelSubnet(first.replace("/32", `/${prefix}`));
  for (let prefix = USUAL_PREFIX; prefix >= WIDEST_PREFIX; prefix--) {
    const subnet = around(prefix);
    if (subnet !== null && hosts.every((host) => covers([subnet], host))) return subnet;
  }
  return around(USUAL_PREFIX);
}

/** Faults that harm its tunnel but have not kept it from running. @throws Refusal if no engine runs with the profile */
export function faultsIn({ profile, mtu }: Pick<ServerFile, "profile" | "mtu">): AmneziaFault[] {
  if (profile === null) return [];
  const { fatal, bearable } = faultsOfGiven(profile, mtu);
  for (const fault of fatal) refuse("import.parameter_wrong", { field: "file", name: shownFault(fault).field });
  return bearable;
}

/** A device's source addresses: one IPv4 address, at most one IPv6 address, and no network. */
function addressOf(allowedIps: readonly string[]): { address: string | null; losesV6: boolean } {
  const networks = allowedIps.flatMap((text) => parseCidr(text) ?? []);
  const isHost = networks.every(({ family, prefix }) => prefix === (family === 4 ? 32 : 128));
  const [address, ...more] = networks.filter(({ family }) => family === 4);
  const v6 = networks.filter(({ family }) => family === 6).length;
  if (address === undefined || more.length > 0 || v6 > 1 || !isHost) return { address: null, losesV6: false };
  return { address: address.network, losesV6: v6 > 0 };
}

function isForDevices(address: string, subnet: string): boolean {
  const { first, last } = hostNumbersOf(subnet);
  const number = Number(readAddress(address)?.value);
  return number >= first && number <= last;
}

/** Its name in the file, reduced to what a config's name may have, and unique among `taken`. */
function suggestedName(name: string | null, index: number, taken: Set<string>): string {
  const plain = (name ?? "")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, NAME_MAX);
  const isUsable = whyNotConfigName(plain) === null && !taken.has(plain.toLowerCase());
  const suggested = isUsable ? plain : `device-${index + 1}`;
  taken.add(suggested.toLowerCase());
  return suggested;
}
