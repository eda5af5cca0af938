import {
  canonicalAddress,
  canonicalNetwork,
  cidrsWithout,
  formatCidr,
  parseCidr,
  requireCidr,
  wholeFamilies,
} from "./addresses.ts";
import { readLines } from "./config-lines.ts";
import { type Endpoint, formatEndpoint, isEndpoint, parseEndpoint } from "./endpoint.ts";
import {
  asPresharedKey,
  asPrivateKey,
  asPublicKey,
  NO_PRESHARED_KEY,
  type PresharedKey,
  type PrivateKey,
  type PublicKey,
} from "./key-text.ts";

/** The contents of a member's wg-quick file (wg-quick(8), wg(8)). */
export interface ClientConfig {
  /** Null if the panel does not have it: then neither a PrivateKey line nor a placeholder is written. */
  privateKey: PrivateKey | null;
  /** With prefix and host bits, at least one, e.g. ["10.8.0.7/32"]. */
  addresses: string[];
  /** Bare addresses of resolvers. */
  dns: string[];
  /** Bytes, null for the client's default. */
  mtu: number | null;
  peer: {
    publicKey: PublicKey;
    presharedKey: PresharedKey | null;
    /** Networks, at least one. */
    allowedIps: string[];
    endpoint: Endpoint;
    /** Seconds, null when off. */
    persistentKeepalive: number | null;
  };
}

/** Says what is wrong and where; never quotes a value, which may be a key. */
export class ConfigTextError extends Error {
  /** 1-based line of the parsed text; null if a value was refused while writing. */
  readonly line: number | null;

  constructor(message: string, line: number | null) {
    super(line === null ? message : `Line ${line}: ${message}`);
    this.name = "ConfigTextError";
    this.line = line;
  }
}

type Field = "PrivateKey" | "Address" | "DNS" | "MTU" | PeerField;
type PeerField = "PublicKey" | "PresharedKey" | "AllowedIPs" | "Endpoint" | "PersistentKeepalive";

const FIELDS = {
  interface: ["PrivateKey", "Address", "DNS", "MTU"],
  peer: ["PublicKey", "PresharedKey", "AllowedIPs", "Endpoint", "PersistentKeepalive"],
} as const satisfies Record<string, readonly Field[]>;
type Section = keyof typeof FIELDS;

const LISTS: readonly Field[] = ["Address", "DNS", "AllowedIPs"];

// IPv4's minimum reassembly size (RFC 791) and the maximum of a 16-bit length.
const MTU_MIN = 576;
const MTU_MAX = 65535;
const KEEPALIVE_MAX = 65535;

/**
 * A member's file as text, ending with a newline. AllowedIPs are written without spaces (decisions, section 6). Every value
 * must match its field's grammar, so no value can inject a line. Throws ConfigTextError.
 */
export function writeConfig({ privateKey, addresses, dns, mtu, peer }: ClientConfig): string {
  const keepalive = peer.persistentKeepalive;
  const lines = [
    "[Interface]",
    privateKey !== null && `PrivateKey = ${checked("PrivateKey", asPrivateKey(privateKey))}`,
    `Address = ${checkedList("Address", addresses, hostWithPrefix).join(", ")}`,
    dns.length > 0 && `DNS = ${checkedList("DNS", dns, canonicalAddress).join(", ")}`,
    mtu !== null && `MTU = ${checked("MTU", inRange(mtu, MTU_MIN, MTU_MAX))}`,
    "",
    "[Peer]",
    `PublicKey = ${checked("PublicKey", asPublicKey(peer.publicKey))}`,
    peer.presharedKey !== null && `PresharedKey = ${checked("PresharedKey", asPresharedKey(peer.presharedKey))}`,
    `AllowedIPs = ${checkedList("AllowedIPs", peer.allowedIps, canonicalNetwork).join(",")}`,
    `Endpoint = ${formatEndpoint(checked("Endpoint", isEndpoint(peer.endpoint) ? peer.endpoint : null))}`,
    keepalive !== null &&
      `PersistentKeepalive = ${checked("PersistentKeepalive", inRange(keepalive, 1, KEEPALIVE_MAX))}`,
  ];
  return `${lines.filter((line) => line !== false).join("\n")}\n`;
}

/**
 * Parses such a text: keys in any case, comments, blanks, CRLF, lists over several lines. Addresses come back canonical,
 * networks with host bits masked. Throws ConfigTextError on an unknown, repeated, missing or wrong field.
 */
export function parseConfig(text: string): ClientConfig {
  const fields = readFields(text);
  return {
    privateKey: optional(fields, "PrivateKey", asPrivateKey),
    addresses: list(fields, "Address", hostWithPrefix, "required"),
    dns: list(fields, "DNS", canonicalAddress, "optional"),
    mtu: optional(fields, "MTU", (value) => inRange(readNumber(value), MTU_MIN, MTU_MAX)),
    peer: {
      publicKey: required(fields, "PublicKey", asPublicKey),
      presharedKey: optional(fields, "PresharedKey", (value) =>
        value === NO_PRESHARED_KEY ? OFF : asPresharedKey(value),
      ),
      allowedIps: list(fields, "AllowedIPs", canonicalNetwork, "required"),
      endpoint: required(fields, "Endpoint", parseEndpoint),
      persistentKeepalive: optional(fields, "PersistentKeepalive", (value) =>
        /^(?:off|0)$/i.test(value) ? OFF : inRange(readNumber(value), 1, KEEPALIVE_MAX),
      ),
    },
  };
}

/**
 * A config's AllowedIPs: its services' addresses and networks as a minimal set, plus resolvers that the services don't cover
 * (decisions, section 6), without the server's own addresses: wg-quick and routers would send the tunnel's packets into the
 * tunnel. The whole of IPv4 or IPv6 is not split, because every client then excludes the server itself (ADR 108). Throws
 * RangeError on an invalid entry.
 */
export function allowedIpsFor(
  serviceIps: readonly string[],
  dnsIps: readonly string[],
  serverIps: readonly string[],
): string[] {
  const all = [...serviceIps, ...dnsIps];
  const whole = wholeFamilies(all);
  return cidrsWithout(
    all,
    serverIps.filter((address) => !whole.includes(requireCidr(address).family)),
  );
}

/**
 * A DNS entry's addresses that a device can ask: those of the families that it has in the tunnel, unless none is left. If its server
 * is reached at an IPv6 address, IPv6 comes first: such a server may have no IPv4.
 */
export function resolversFor(
  dnsIps: readonly string[],
  deviceAddresses: readonly string[],
  endpoint: string,
): string[] {
  const isV6 = (address: string) => address.includes(":");
  const hasV6 = deviceAddresses.some(isV6);
  const asked = dnsIps.filter((address) => hasV6 || !isV6(address));
  if (asked.length === 0) return [...dnsIps];
  return isV6(endpoint) ? asked.toSorted((one, other) => Number(isV6(other)) - Number(isV6(one))) : asked;
}

/** A value that means the same as omitting the field. */
const OFF = Symbol("off");

interface Line {
  number: number;
  value: string;
}
type Fields = Map<Field, Line[]>;

function readFields(text: string): Fields {
  const fields: Fields = new Map();
  const seen = new Set<Section>();
  let section: Section | null = null;
  for (const line of readLines(text)) {
    const { number } = line;
    if (line.kind === "comment") continue;
    if (line.kind === "section") {
      if (line.name !== "interface" && line.name !== "peer") throw new ConfigTextError("an unknown section", number);
      section = line.name;
      if (seen.has(section)) throw new ConfigTextError(`a second [${section}] section`, number);
      seen.add(section);
      continue;
    }
    if (section === null) throw new ConfigTextError("stands before the first section", number);
    if (line.kind === "neither") throw new ConfigTextError("neither a section nor 'Key = value'", number);
    const field = readFieldName(section, line.key, number);
    const earlier = fields.get(field) ?? [];
    if (earlier.length > 0 && !LISTS.includes(field)) throw new ConfigTextError(`a second ${field}`, number);
    fields.set(field, [...earlier, { number, value: line.value }]);
  }
  return fields;
}

function readFieldName(section: Section, key: string, number: number): Field {
  const field = FIELDS[section].find((name) => name.toLowerCase() === key.toLowerCase());
  if (field === undefined) throw new ConfigTextError(`an unknown key in [${section}]`, number);
  return field;
}

function optional<Value>(
  fields: Fields,
  field: Field,
  read: (value: string) => Value | typeof OFF | null,
): Value | null {
  const line = fields.get(field)?.[0];
  if (line === undefined) return null;
  const value = read(line.value);
  if (value === null) throw new ConfigTextError(`not a valid ${field}`, line.number);
  return value === OFF ? null : value;
}

function required<Value>(fields: Fields, field: Field, read: (value: string) => Value | null): Value {
  const value = optional(fields, field, read);
  if (value === null) throw missing(field);
  return value;
}

function list(
  fields: Fields,
  field: Field,
  read: (value: string) => string | null,
  need: "required" | "optional",
): string[] {
  const entries = (fields.get(field) ?? []).flatMap(({ number, value }) =>
    value.split(",").map((part) => {
      const entry = read(part.trim());
      if (entry === null) throw new ConfigTextError(`not a valid ${field}`, number);
      return entry;
    }),
  );
  if (entries.length === 0 && need === "required") throw missing(field);
  return entries;
}

/** A missing field has no line, so neither has the error. */
function missing(field: Field): ConfigTextError {
  return new ConfigTextError(`${field} is missing`, null);
}

function checked<Value>(field: Field, value: Value | null): Value {
  if (value === null) throw new ConfigTextError(`not a valid ${field}`, null);
  return value;
}

function checkedList(field: Field, values: readonly string[], read: (value: string) => string | null): string[] {
  if (values.length === 0) throw missing(field);
  return values.map((value) => checked(field, read(value)));
}

/** '10.8.0.7/24' keeps its host bits: an interface's address is one host. Null unless it is one. */
export function hostWithPrefix(text: string): string | null {
  const cidr = parseCidr(text);
  const host = canonicalAddress(text.split("/", 1)[0] ?? "");
  return cidr && host && formatCidr({ network: host, prefix: cidr.prefix });
}

function readNumber(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function inRange(value: number, least: number, most: number): number | null {
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}
