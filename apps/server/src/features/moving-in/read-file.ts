import type { StrangeDevice } from "@krug/contract/moving-in";
import { whyNotConfigName } from "@krug/domain/config-rules";
import { parseCidr, readAddress } from "@krug/wireguard/addresses";
import type { AmneziaFault } from "@krug/wireguard/amneziawg";
import { faultsOfGiven } from "@krug/wireguard/amneziawg-given";
import { parseServerFile, type ServerFile, ServerFileError, type ServerFilePeer } from "@krug/wireguard/server-file";
import { readTunnelSubnet } from "@krug/wireguard/tunnel-subnet";
import { refuse } from "../../platform/refusal.ts";
import { hostNumbersOf, shownFault } from "../interfaces/index.ts";
import { DATABASE_PREFIX, readDatabase } from "./read-database.ts";

/** A device of the file, as far as the file tells whether it can be taken over. */
export interface FileDevice extends ServerFilePeer {
  /** Bare IPv4, null if it has not exactly one of its own. */
  address: string | null;
  losesV6: boolean;
  strange: Exclude<StrangeDevice, "key_taken"> | null;
  suggestedName: string;
}

export interface ReadFile extends Omit<ServerFile, "peers" | "addresses"> {
  /** Canonical, of a size that the club has. */
  subnet: string;
  devices: FileDevice[];
}

const NAME_MAX = 15;

/** @throws Refusal that says what is wrong with the file */
export async function readFile(text: string): Promise<ReadFile> {
  const { peers, addresses, ...file } = await parsed(text);
  const network = addresses.find((address) => parseCidr(address)?.family === 4);
  const subnet = (network && readTunnelSubnet(network)) ?? refuse("interface.subnet_invalid", { field: "file" });
  const seen = new Set<string>([file.publicKey]);
  const names = new Set<string>();
  const devices = peers.map((peer, index) => {
    const { address, losesV6 } = addressOf(peer);
    const isTwice = seen.has(peer.publicKey) || (address !== null && seen.has(address));
    seen.add(peer.publicKey);
    if (address !== null) seen.add(address);
    const strange =
      address === null ? "networks" : isTwice ? "twice" : isForDevices(address, subnet) ? null : "address";
    return { ...peer, address, losesV6, strange, suggestedName: suggestedName(peer.name, index, names) } as const;
  });
  return { ...file, subnet, devices };
}

async function parsed(text: string): Promise<ServerFile> {
  try {
    return text.startsWith(DATABASE_PREFIX)
      ? await readDatabase(text.slice(DATABASE_PREFIX.length))
      : parseServerFile(text);
  } catch (error) {
    if (!(error instanceof ServerFileError)) throw error;
    const { reason, at } = error;
    if (reason === "line") return refuse("import.line_wrong", { field: "file", line: at });
    if (reason === "missing") return refuse("import.field_missing", { field: "file", name: at });
    if (reason === "outdated") return refuse("import.amneziawg_outdated", { field: "file", names: at });
    return refuse("import.unreadable", { field: "file" });
  }
}

/** What harms its tunnel, and has not kept it from running. @throws Refusal where no engine runs with the profile */
export function faultsIn({ profile, mtu }: Pick<ServerFile, "profile" | "mtu">): AmneziaFault[] {
  if (profile === null) return [];
  const { fatal, bearable } = faultsOfGiven(profile, mtu);
  for (const fault of fatal) refuse("import.parameter_wrong", { field: "file", name: shownFault(fault).field });
  return bearable;
}

/** What a device may send from: one IPv4 address, at most one of IPv6 beside it, and no network. */
function addressOf({ allowedIps }: ServerFilePeer): { address: string | null; losesV6: boolean } {
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

/** Of its name in the file what a config's name may have, and no other's name in `taken`. */
function suggestedName(name: string | null, index: number, taken: Set<string>): string {
  const plain = (name ?? "")
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, NAME_MAX);
  const isUsable = whyNotConfigName(plain) === null && !taken.has(plain.toLowerCase());
  const suggested = isUsable ? plain : `device-${index + 1}`;
  taken.add(suggested.toLowerCase());
  return suggested;
}
