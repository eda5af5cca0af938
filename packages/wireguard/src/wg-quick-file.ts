import { canonicalNetwork } from "./addresses.ts";
import { AMNEZIA_FIELDS } from "./amneziawg.ts";
import { givenProfile } from "./amneziawg-given.ts";
import { type ConfigLine, readLines, withoutSpaces } from "./config-lines.ts";
import { hostWithPrefix } from "./config-text.ts";
import { asPrivateKey, asPublicKey, type PrivateKey, type PublicKey } from "./key-text.ts";
import { publicKeyOf } from "./keys.ts";
import { type PeerComments, peerName } from "./peer-name.ts";
import {
  asWireguardHasThem,
  presharedKeyIn,
  type ServerFile,
  ServerFileError,
  type ServerFilePeer,
  type UnreadField,
  wholeNumber,
} from "./server-file.ts";
import { linesOf } from "./text-lines.ts";

/** Only AmneziaWG 1.5 had these. */
const OUTDATED = /^(?:j[1-3]|itime)$/;
/** PiVPN's mark for a disabled peer, before each of its lines. */
const SWITCHED_OFF = "#[disabled]";
/** Sections of other programs' files for the same interface. */
const OTHERS: readonly [section: RegExp, program: string][] = [
  [/^(?:connection|wireguard-peer\..*)$/, "NetworkManager"],
  [/^(?:netdev|wireguard|wireguardpeer|match|network)$/, "systemd-networkd"],
];

/**
 * Reads a server file of wg-quick or awg-quick, including that of an AmneziaVPN container, as `wg setconf` does: the last of two
 * conflicting values counts. Only a fault in what the interface needs refuses the file. Throws ServerFileError.
 */
export function parseWgQuick(text: string): ServerFile {
  const { lines, off } = switchedOn(text);
  const own: OwnSection = { fields: new Map(), parameters: {}, addresses: [], ignored: new Set(), outdated: [] };
  const unread: UnreadField[] = [];
  const peers: PeerSection[] = [];
  let section: "interface" | "peer" | null = null;
  for (const line of readLines(lines)) {
    const peer = peers.at(-1);
    if (line.kind === "section") {
      if (line.name === "peer") peers.push(peerSection(line, !off.has(line.number)));
      else if (line.name !== "interface") throw whoseSection(lines) ?? wrong(line.number);
      section = line.name;
    } else if (line.kind === "comment") {
      if (section === "peer" && peer?.isEmpty) peer.comments.inside.push(line.text);
    } else if (section === null || line.kind === "neither") unread.push({ line: line.number, field: "" });
    else if (section === "interface") readOwn(own, line, unread);
    else if (peer !== undefined) readPeer(peer, line, unread);
  }
  if (section === null) throw new ServerFileError("unreadable");
  if (own.outdated.length > 0) throw new ServerFileError("outdated", own.outdated.join(", "));
  if (isOfDevice(own, peers)) throw new ServerFileError("device");
  const privateKey = keyOf(own);
  const number = (field: string, least: number) => {
    const found = own.fields.get(field.toLowerCase());
    if (found === undefined) return null;
    const value = wholeNumber(found.value, least, 65_535);
    if (value === null) unread.push({ line: found.number, field });
    return value;
  };
  return {
    privateKey,
    publicKey: publicKeyOf(privateKey),
    addresses: own.addresses,
    listenPort: number("ListenPort", 1),
    mtu: number("MTU", 576),
    profile: givenProfile(own.parameters),
    mayBePlain: false,
    ignored: [...own.ignored],
    peers: asWireguardHasThem(
      peers.flatMap(({ publicKey, comments, line, isEmpty: _, hasEndpoint: __, ...peer }) => {
        if (publicKey !== null) return { ...peer, publicKey, name: peerName(comments) };
        unread.push({ line, field: "PublicKey" });
        return [];
      }),
    ),
    unread: unread.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
  };
}

type FieldLine = Extract<ConfigLine, { kind: "field" }>;

interface OwnSection {
  fields: Map<string, FieldLine>;
  parameters: Record<string, string>;
  addresses: string[];
  ignored: Set<string>;
  outdated: string[];
}

type PeerSection = Omit<ServerFilePeer, "publicKey" | "name"> & {
  line: number;
  publicKey: PublicKey | null;
  isEmpty: boolean;
  hasEndpoint: boolean;
  comments: PeerComments & { inside: string[] };
};

const peerSection = (line: Extract<ConfigLine, { kind: "section" }>, isEnabled: boolean): PeerSection => ({
  line: line.number,
  publicKey: null,
  presharedKey: null,
  privateKey: null,
  allowedIps: [],
  isBroken: false,
  isEnabled,
  endsAt: null,
  isEmpty: true,
  hasEndpoint: false,
  comments: { before: line.comments, beside: line.comment, inside: [], behindKey: "" },
});

function readOwn(own: OwnSection, line: FieldLine, unread: UnreadField[]): void {
  const { number, value } = line;
  const key = line.key.toLowerCase();
  const field = AMNEZIA_FIELDS.find((each) => each.key.toLowerCase() === key);
  if (field !== undefined) {
    const read = field.fromText(value);
    if (read !== null) own.parameters[field.name] = read;
    // The other end need not know it. With another value of the others no device could connect.
    else if (field.isShared) throw wrong(number);
    else unread.push({ line: number, field: field.key });
  } else if (OUTDATED.test(key)) own.outdated.push(line.key);
  else if (key === "address") {
    // wg-quick splits these at spaces, too.
    for (const part of value.split(/[\s,]/).filter((each) => each !== "")) {
      const address = hostWithPrefix(part);
      if (address === null) unread.push({ line: number, field: "Address" });
      else own.addresses.push(address);
    }
  } else if (["privatekey", "listenport", "mtu"].includes(key)) own.fields.set(key, line);
  else own.ignored.add(line.key);
}

/** Endpoint, keepalive and other programs' fields concern only the device. */
function readPeer(peer: PeerSection, { key: name, value, number, comment }: FieldLine, unread: UnreadField[]): void {
  const key = name.toLowerCase();
  const broken = (field: string) => {
    peer.isBroken = true;
    unread.push({ line: number, field });
  };
  peer.isEmpty = false;
  if (key === "publickey") {
    peer.publicKey = asPublicKey(withoutSpaces(value));
    peer.line = number;
    peer.comments.behindKey = comment;
  } else if (key === "presharedkey") {
    const read = presharedKeyIn(withoutSpaces(value));
    if (read === undefined) broken("PresharedKey");
    else peer.presharedKey = read;
  } else if (key === "allowedips") {
    for (const part of withoutSpaces(value)
      .split(",")
      .filter((each) => each !== "")) {
      const network = canonicalNetwork(part);
      if (network === null) broken("AllowedIPs");
      else peer.allowedIps.push(network);
    }
  } else if (key === "endpoint") peer.hasEndpoint = true;
}

function keyOf({ fields }: OwnSection): PrivateKey {
  const line = fields.get("privatekey");
  if (line === undefined) throw new ServerFileError("missing", "PrivateKey");
  const key = asPrivateKey(withoutSpaces(line.value));
  if (key === null) throw wrong(line.number);
  return key;
}

/**
 * It calls out: it has the endpoints of all its peers, and routes networks to one of them. One with a port of its own, as a device
 * has that saved its running state, routes everything there: otherwise it may be a server between sites.
 */
function isOfDevice({ fields }: OwnSection, peers: readonly PeerSection[]): boolean {
  const routed = fields.has("listenport") ? /\/[01]$/ : /\/(?!32$|128$)/;
  return (
    peers.length > 0 &&
    peers.every(({ hasEndpoint }) => hasEndpoint) &&
    peers.some(({ allowedIps }) => allowedIps.some((network) => routed.test(network)))
  );
}

/** The text with disabled lines enabled, and their numbers. */
function switchedOn(text: string): { lines: string; off: ReadonlySet<number> } {
  const off = new Set<number>();
  const lines = linesOf(text).map((line, index) => {
    const bare = line.trimStart();
    if (!bare.startsWith(SWITCHED_OFF)) return line;
    off.add(index + 1);
    return bare.slice(SWITCHED_OFF.length);
  });
  return { lines: lines.join("\n"), off };
}

function whoseSection(text: string): ServerFileError | null {
  const names = [...readLines(text)].flatMap((line) => (line.kind === "section" ? [line.name] : []));
  const found = OTHERS.find(([section]) => names.some((name) => section.test(name)));
  return found === undefined ? null : new ServerFileError("program", found[1]);
}

const wrong = (line: number) => new ServerFileError("line", String(line));
