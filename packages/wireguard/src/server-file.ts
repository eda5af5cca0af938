import { AMNEZIA_FIELDS, type AmneziaProfile } from "./amneziawg.ts";
import { givenProfile } from "./amneziawg-given.ts";
import { readLines } from "./config-lines.ts";
import { canonicalNetwork, hostWithPrefix } from "./config-text.ts";
import {
  asPresharedKey,
  asPrivateKey,
  asPublicKey,
  NO_PRESHARED_KEY,
  type PresharedKey,
  type PrivateKey,
  type PublicKey,
  publicKeyOf,
} from "./keys.ts";

/** An interface as another program kept it on its server. */
export interface ServerFile {
  privateKey: PrivateKey;
  publicKey: PublicKey;
  /** With prefix and host bits, at least one, e.g. ["10.8.0.1/24"]. */
  addresses: string[];
  /** Null if the file does not say. */
  listenPort: number | null;
  /** Bytes, null if the file does not say. */
  mtu: number | null;
  /** Null for plain WireGuard. */
  profile: AmneziaProfile | null;
  /** The file does not say whether the profile is in use: its program also keeps one beside a plain tunnel. */
  mayBePlain: boolean;
  /** Lines of the interface that have no meaning here, by name in the file's order: "PostUp" … */
  ignored: string[];
  peers: ServerFilePeer[];
}

export interface ServerFilePeer {
  /** What the file calls it, null if it says nothing. */
  name: string | null;
  publicKey: PublicKey;
  presharedKey: PresharedKey | null;
  /** Null unless the file has it: a WireGuard server does not need it. */
  privateKey: PrivateKey | null;
  /** Canonical networks, e.g. ["10.8.0.2/32"]. */
  allowedIps: string[];
  isEnabled: boolean;
}

/**
 * Why a file cannot be read. It never quotes a value, which may be a key.
 * `at`: with `line` its 1-based number, with `missing` the field, with `outdated` the parameters of a version that nothing here speaks.
 */
export class ServerFileError extends Error {
  readonly reason: "unreadable" | "line" | "missing" | "outdated";
  readonly at: string;

  constructor(reason: ServerFileError["reason"], at = "") {
    super(`${reason} ${at}`.trim());
    this.name = "ServerFileError";
    this.reason = reason;
    this.at = at;
  }
}

const NAME_MAX = 64;
const DEFAULT_PREFIX = "/24";
/** AmneziaWG 1.5 alone had these. */
const OUTDATED = /^(?:j[1-3]|itime)$/;

/**
 * Reads a server file of wg-quick or awg-quick, also that of an AmneziaVPN container, or wg-easy's `wg0.json`. Throws
 * ServerFileError.
 */
export function parseServerFile(text: string): ServerFile {
  return text.trimStart().startsWith("{") ? fromWgEasy(text) : fromWgQuick(text);
}

function fromWgQuick(text: string): ServerFile {
  const own = new Map<string, string[]>();
  const addresses: string[] = [];
  const ignored: string[] = [];
  const outdated: string[] = [];
  const parameters: Record<string, string> = {};
  const peers: ReturnType<typeof emptyPeer>[] = [];
  let section: "interface" | "peer" | null = null;
  for (const line of readLines(text)) {
    const wrong = () => new ServerFileError("line", String(line.number));
    const peer = peers.at(-1);
    if (line.kind === "section") {
      if (line.name === "peer") peers.push(emptyPeer(line.number, line.comments.at(-1)));
      else if (line.name !== "interface" || section !== null) throw wrong();
      section = line.name;
    } else if (line.kind === "comment") {
      if (section === "peer" && peer?.publicKey === null) peer.name ??= nameIn(line.text);
    } else if (section === null) throw new ServerFileError("unreadable");
    else if (line.kind === "neither") throw wrong();
    else if (section === "interface") {
      const key = line.key.toLowerCase();
      const field = AMNEZIA_FIELDS.find((each) => each.key.toLowerCase() === key);
      if (field !== undefined) {
        if (parameters[field.name] !== undefined) throw wrong();
        parameters[field.name] = field.fromText(line.value) ?? raise(wrong());
      } else if (OUTDATED.test(key)) outdated.push(line.key);
      else if (key === "address")
        addresses.push(...line.value.split(",").map((part) => hostWithPrefix(part.trim()) ?? raise(wrong())));
      else if (["privatekey", "listenport", "mtu"].includes(key)) {
        if (own.has(key)) throw wrong();
        own.set(key, [line.value, String(line.number)]);
      } else ignored.push(line.key);
    } else if (peer !== undefined) setField(peer, line.key.toLowerCase(), line.value, wrong);
  }
  if (outdated.length > 0) throw new ServerFileError("outdated", outdated.join(", "));
  if (section === null) throw new ServerFileError("unreadable");
  const read = <Value>(name: string, parse: (value: string) => Value | null): Value | null => {
    const found = own.get(name);
    return found === undefined ? null : (parse(found[0] ?? "") ?? raise(new ServerFileError("line", found[1])));
  };
  const privateKey = read("privatekey", asPrivateKey) ?? raise(new ServerFileError("missing", "PrivateKey"));
  if (addresses.length === 0) throw new ServerFileError("missing", "Address");
  return {
    privateKey,
    publicKey: publicKeyOf(privateKey),
    addresses,
    listenPort: read("listenport", (value) => wholeNumber(value, 1, 65_535)),
    mtu: read("mtu", (value) => wholeNumber(value, 576, 65_535)),
    profile: givenProfile(parameters),
    mayBePlain: false,
    ignored: [...new Set(ignored)],
    peers: peers.map(({ line, publicKey, ...peer }) => ({
      ...peer,
      publicKey: publicKey ?? raise(new ServerFileError("line", String(line))),
    })),
  };
}

const emptyPeer = (line: number, comment: string | undefined) => ({
  line,
  name: comment === undefined ? null : nameIn(comment),
  publicKey: null as PublicKey | null,
  presharedKey: null as PresharedKey | null,
  privateKey: null,
  allowedIps: [] as string[],
  isEnabled: true,
});

/** Endpoint, keepalive and fields of other programs are the device's own affair. */
function setField(peer: ReturnType<typeof emptyPeer>, key: string, value: string, wrong: () => Error): void {
  if (key === "publickey") {
    if (peer.publicKey !== null) throw wrong();
    peer.publicKey = asPublicKey(value) ?? raise(wrong());
  } else if (key === "presharedkey") peer.presharedKey = presharedKey(value, wrong);
  else if (key === "allowedips")
    peer.allowedIps.push(...value.split(",").map((part) => canonicalNetwork(part.trim()) ?? raise(wrong())));
}

/** What other programs' comments call a peer: '### Client anna', '### begin anna ###', '# Name = anna', '#_Name = anna', '# Client: anna (its id)'. */
function nameIn(comment: string): string | null {
  const bare = comment.replace(/#+$/, "").trim();
  if (/^end\s/i.test(bare)) return null;
  const ofWgEasy = /^client:\s*(.*)\s\([^()]*\)$/i.exec(bare)?.[1];
  return shortName(ofWgEasy ?? bare.replace(/^(?:begin\s+|client(?::\s*|\s+)|(?:friendly)?_?name\s*[=:]\s*)/i, ""));
}

const shortName = (name: string) => name.replace(/\p{C}/gu, "").trim().slice(0, NAME_MAX) || null;

/** wg-easy up to version 14 keeps all in one JSON file, and the port in its environment; its forks keep AmneziaWG's parameters there. */
function fromWgEasy(text: string): ServerFile {
  const { server, clients } = asRecord(parseJson(text));
  const { privateKey, address, ...more } = asRecord(server);
  return fromRows(
    { privateKey, address, listenPort: null, mtu: null, amnezia: more, mayBePlain: false },
    Object.entries(asRecord(clients)).map(([id, value]) => {
      const client = asRecord(value);
      return { ...client, id, addresses: [client.address], enabled: client.enabled !== false };
    }),
  );
}

/** What wg-easy keeps of its interface, unchecked. */
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

/** What wg-easy keeps of a client, unchecked. */
export interface WgEasyClient {
  id: string;
  name?: unknown;
  publicKey?: unknown;
  privateKey?: unknown;
  preSharedKey?: unknown;
  addresses: readonly unknown[];
  enabled: boolean;
}

/** The same from wg-easy's rows, whichever of its files they stood in. Throws ServerFileError. */
export function fromRows(own: WgEasyInterface, clients: readonly WgEasyClient[]): ServerFile {
  const privateKey = asPrivateKey(textOf(own.privateKey)) ?? raise(new ServerFileError("missing", "server.privateKey"));
  const address = textOf(own.address);
  const withPrefix = address.includes("/") ? address : address + DEFAULT_PREFIX;
  const profile = givenProfile(
    Object.fromEntries(
      AMNEZIA_FIELDS.flatMap((field) => {
        const text = String(own.amnezia[field.name] ?? "").trim();
        // Numbers where a config file has words.
        const value = text === "" ? null : (field.fromText(text) ?? field.parse(text));
        return text === ""
          ? []
          : [[field.name, value ?? raise(new ServerFileError("missing", `server.${field.name}`))]];
      }),
    ),
  );
  const number = (value: unknown, least: number) => (value === null ? null : wholeNumber(String(value), least, 65_535));
  return {
    privateKey,
    publicKey: publicKeyOf(privateKey),
    addresses: [hostWithPrefix(withPrefix) ?? raise(new ServerFileError("missing", "server.address"))],
    listenPort: number(own.listenPort, 1),
    mtu: number(own.mtu, 576),
    profile,
    mayBePlain: own.mayBePlain && profile !== null,
    ignored: [],
    peers: clients.map(({ id, name, publicKey, ...client }) => {
      const at = (field: string) => new ServerFileError("missing", `clients.${shortName(id)}.${field}`);
      const ownKey = textOf(client.privateKey);
      return {
        name: shortName(textOf(name)),
        publicKey: asPublicKey(textOf(publicKey)) ?? raise(at("publicKey")),
        presharedKey: presharedKey(textOf(client.preSharedKey), () => at("preSharedKey")),
        privateKey: ownKey === "" ? null : (asPrivateKey(ownKey) ?? raise(at("privateKey"))),
        allowedIps: client.addresses.map((each) => canonicalNetwork(textOf(each)) ?? raise(at("address"))),
        isEnabled: client.enabled,
      };
    }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerFileError("unreadable");
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ServerFileError("unreadable");
  return value as Record<string, unknown>;
}

const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

const presharedKey = (value: string, wrong: () => Error): PresharedKey | null =>
  value === "" || value === NO_PRESHARED_KEY ? null : (asPresharedKey(value) ?? raise(wrong()));

const wholeNumber = (text: string, least: number, most: number): number | null =>
  /^[0-9]{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;

function raise(error: Error): never {
  throw error;
}
