import { canonicalNetwork } from "./addresses.ts";
import { AMNEZIA_FIELDS } from "./amneziawg.ts";
import { givenProfile } from "./amneziawg-given.ts";
import { hostWithPrefix } from "./config-text.ts";
import { asPrivateKey, asPublicKey } from "./key-text.ts";
import { publicKeyOf } from "./keys.ts";
import { shortName } from "./peer-name.ts";
import {
  asWireguardHasThem,
  presharedKeyIn,
  type ServerFile,
  ServerFileError,
  type UnreadField,
  wholeNumber,
} from "./server-file.ts";

const DEFAULT_PREFIX = "/24";

/**
 * wg-easy up to version 14 stores everything in one JSON file, and the port in its environment; its forks add AmneziaWG's
 * parameters there.
 */
export function parseWgEasy(text: string): ServerFile {
  const { server, clients } = asRecord(parseJson(text));
  const { privateKey, address, ...more } = asRecord(server);
  return fromRows(
    { privateKey, address, listenPort: null, mtu: null, amnezia: more, mayBePlain: false },
    Object.entries(asRecord(clients)).map(([id, value]) => {
      const client = isRecord(value) ? value : {};
      return { ...client, id, addresses: [client.address], enabled: client.enabled !== false, endsAt: null };
    }),
  );
}

/** wg-easy's interface, unchecked. */
export interface WgEasyInterface {
  privateKey: unknown;
  /** An address or a network. */
  address: unknown;
  listenPort: unknown;
  mtu: unknown;
  /** AmneziaWG's parameters by the names of `AMNEZIA_FIELDS`, among other things. */
  amnezia: Readonly<Record<string, unknown>>;
  mayBePlain: boolean;
}

/** A client of wg-easy's, unchecked. */
export interface WgEasyClient {
  id: string;
  name?: unknown;
  publicKey?: unknown;
  privateKey?: unknown;
  preSharedKey?: unknown;
  addresses: readonly unknown[];
  enabled: boolean;
  /** When it ends. */
  endsAt: unknown;
}

/** The same from wg-easy's rows, from any of its files. Throws ServerFileError. */
export function fromRows(own: WgEasyInterface, clients: readonly WgEasyClient[]): ServerFile {
  const privateKey = asPrivateKey(textOf(own.privateKey)) ?? raise(new ServerFileError("missing", "server.privateKey"));
  const unread: UnreadField[] = [];
  const leaveOut = (field: string) => void unread.push({ line: null, field });
  const parameters = AMNEZIA_FIELDS.flatMap((field) => {
    const text = scalarIn(own.amnezia[field.name]).trim();
    if (text === "") return [];
    // A number where a config file has text.
    const value = field.fromText(text) ?? field.parse(text);
    if (value !== null) return [[field.name, value]];
    if (field.isShared) throw new ServerFileError("missing", `server.${field.name}`);
    leaveOut(`server.${field.name}`);
    return [];
  });
  const profile = givenProfile(Object.fromEntries(parameters));
  const number = (name: "listenPort" | "mtu", least: number) => {
    const text = scalarIn(own[name]);
    const value = wholeNumber(text, least, 65_535);
    if (text !== "" && value === null) leaveOut(`server.${name}`);
    return value;
  };
  const address = textOf(own.address);
  const ownAddress = hostWithPrefix(address.includes("/") ? address : address + DEFAULT_PREFIX);
  if (ownAddress === null) leaveOut("server.address");
  const peers = clients.flatMap(({ id, name, publicKey, ...client }) => {
    const at = (field: string) => `clients.${shortName(id)}.${field}`;
    const key = asPublicKey(textOf(publicKey));
    if (key === null) {
      leaveOut(at("publicKey"));
      return [];
    }
    const presharedKey = presharedKeyIn(textOf(client.preSharedKey));
    if (presharedKey === undefined) leaveOut(at("preSharedKey"));
    const allowedIps = client.addresses.flatMap((each) => canonicalNetwork(textOf(each)) ?? []);
    const hasLost = allowedIps.length < client.addresses.length;
    if (hasLost) leaveOut(at("address"));
    const ownKey = asPrivateKey(textOf(client.privateKey));
    if (ownKey === null && textOf(client.privateKey) !== "") leaveOut(at("privateKey"));
    return {
      name: shortName(textOf(name)),
      publicKey: key,
      presharedKey: presharedKey ?? null,
      // Another device's key would be written into its files.
      privateKey: ownKey !== null && publicKeyOf(ownKey) === key ? ownKey : null,
      allowedIps,
      isBroken: presharedKey === undefined || hasLost,
      isEnabled: client.enabled,
      endsAt: momentIn(client.endsAt),
    };
  });
  return {
    privateKey,
    publicKey: publicKeyOf(privateKey),
    addresses: ownAddress === null ? [] : [ownAddress],
    listenPort: number("listenPort", 1),
    mtu: number("mtu", 576),
    profile,
    mayBePlain: own.mayBePlain && profile !== null,
    ignored: [],
    unread,
    peers: asWireguardHasThem(peers),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerFileError("unreadable");
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function asRecord(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new ServerFileError("unreadable");
  return value;
}

/** A text or a number as text, "" for nothing; anything else is a text that no field allows. It is untrusted: String() may throw. */
export const scalarIn = (value: unknown): string =>
  value === undefined || value === null ? "" : ["string", "number"].includes(typeof value) ? String(value) : "?";

const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

function momentIn(value: unknown): string | null {
  const moment = new Date(textOf(value));
  return textOf(value) === "" || Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

function raise(error: Error): never {
  throw error;
}
