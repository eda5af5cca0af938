import { parseAmneziaClients } from "./amnezia-clients.ts";
import { readLines, withoutSpaces } from "./config-lines.ts";
import { asPrivateKey, asPublicKey, type PrivateKey, type PublicKey } from "./key-text.ts";
import { publicKeyOf } from "./keys.ts";
import { shortName } from "./peer-name.ts";
import { type PeerTraffic, type ServerFile, ServerFileError, type ServerFilePeer } from "./server-file.ts";
import { linesOf } from "./text-lines.ts";
import { parseWgEasy } from "./wg-easy-file.ts";
import { parseWgQuick } from "./wg-quick-file.ts";
import { joinPieces, pieceIn, type WireguardUiPiece } from "./wireguard-ui-files.ts";

/*
 * Some programs keep an interface in many files: the server's own, and next to it each device's file or key, tables of names, or a
 * database. Together they say more than the server's file: names, private keys, who is switched off.
 */

/** A file by its path or name, e.g. 'configs/anna.conf'. */
export interface NamedText {
  name: string;
  text: string;
}

/** What another file knows about a device of the server's file. */
export interface PeerDetails {
  /** Wins over the server file's name. */
  name?: string | null;
  /** If nothing else names it. */
  fileName?: string | null;
  privateKey?: PrivateKey | null;
  endsAt?: string | null;
  traffic?: PeerTraffic;
}

/** One interface's devices in a panel's own database; those that are switched off are in no server file. */
export interface PeerTable {
  /** The interface's system name. */
  of: string;
  peers: ServerFilePeer[];
}

/** What one of the files is. */
export type FilePart = { name: string } & (
  | { kind: "server"; file: ServerFile }
  | { kind: "details"; of: ReadonlyMap<PublicKey, PeerDetails>; left?: readonly string[] }
  | { kind: "tables"; tables: readonly PeerTable[] }
  | { kind: "piece"; piece: WireguardUiPiece }
);

/** @throws ServerFileError with the file's name */
export function partOf({ name, text }: NamedText): FilePart {
  try {
    const details = detailsIn({ name, text });
    if (details !== null) return { name, kind: "details", ...details };
    if (!text.trimStart().startsWith("{")) return { name, kind: "server", file: parseWgQuick(text) };
    const piece = pieceIn(text);
    return piece === null ? { name, kind: "server", file: parseWgEasy(text) } : { name, kind: "piece", piece };
  } catch (error) {
    throw inFile(name, error);
  }
}

/** The same error, which names the file. */
export function inFile(name: string, error: unknown): unknown {
  if (error instanceof ServerFileError) error.file ??= name;
  return error;
}

/**
 * One interface from all of its files. Files of one interface have its key in common: what one of them lacks, another has.
 * @throws ServerFileError
 */
export function joinParts(parts: readonly FilePart[]): ServerFile {
  const pieces = parts.flatMap((part) => (part.kind === "piece" ? part.piece : []));
  const servers = parts.flatMap((part) => (part.kind === "server" ? [part] : []));
  const fromPieces = joinPieces(pieces);
  if (fromPieces !== null) servers.unshift({ kind: "server", name: "wireguard-ui", file: fromPieces });
  const [first, ...others] = servers;
  if (first === undefined) throw new ServerFileError("no_server");
  if (others.some(({ file }) => file.publicKey !== first.file.publicKey))
    throw new ServerFileError("several", servers.map(({ name }) => name).join(", "));
  let joined = others.map(({ file }) => file).reduce(withOther, first.file);
  const names = servers.map(({ name }) => baseOf(name).replace(/\.[^.]+$/, ""));
  const tables = parts.flatMap((part) => (part.kind === "tables" ? part.tables : []));
  const table = tables.find(({ of }) => names.includes(of)) ?? (tables.length === 1 ? tables[0] : undefined);
  if (table !== undefined) joined = withTable(joined, table);
  for (const part of parts) if (part.kind === "details") joined = withDetails(joined, part);
  return joined;
}

/** The richer of two files of one interface is the one that has devices' own keys; its devices win. */
function withOther(one: ServerFile, other: ServerFile): ServerFile {
  const keysIn = ({ peers }: ServerFile) => peers.filter(({ privateKey }) => privateKey !== null).length;
  const [first, second] = keysIn(other) > keysIn(one) ? [other, one] : [one, other];
  const known = new Set(first.peers.map(({ publicKey }) => publicKey));
  // A file of the tunnel's own program says whether the profile is in use.
  const sure = [first, second].find(({ mayBePlain }) => !mayBePlain);
  return {
    ...first,
    addresses: [...new Set([...first.addresses, ...second.addresses])],
    listenPort: first.listenPort ?? second.listenPort,
    mtu: first.mtu ?? second.mtu,
    profile: first.mayBePlain && sure !== undefined ? sure.profile : (first.profile ?? second.profile),
    mayBePlain: sure === undefined,
    ignored: [...new Set([...first.ignored, ...second.ignored])],
    unread: [...first.unread, ...second.unread],
    peers: [...first.peers, ...second.peers.filter(({ publicKey }) => !known.has(publicKey))],
  };
}

/** The server file says which devices are on, the table what they are called and which others there are. */
function withTable(file: ServerFile, { peers }: PeerTable): ServerFile {
  const inTable = new Map(peers.map((peer) => [peer.publicKey, peer]));
  const known = file.peers.map((peer): ServerFilePeer => {
    const more = inTable.get(peer.publicKey);
    inTable.delete(peer.publicKey);
    if (more === undefined) return peer;
    const { name, privateKey, presharedKey, endsAt, traffic } = more;
    return {
      ...peer,
      name: name ?? peer.name,
      privateKey: peer.privateKey ?? privateKey,
      presharedKey: peer.presharedKey ?? presharedKey,
      endsAt: endsAt ?? peer.endsAt,
      ...(traffic && { traffic }),
    };
  });
  return { ...file, peers: [...known, ...[...inTable.values()].filter(({ isEnabled }) => !isEnabled)] };
}

function withDetails(file: ServerFile, { of, left = [] }: Extract<FilePart, { kind: "details" }>): ServerFile {
  return {
    ...file,
    ignored: [...new Set([...file.ignored, ...left])],
    peers: file.peers.map((peer) => {
      const more = of.get(peer.publicKey);
      if (more === undefined) return peer;
      const { name, fileName, privateKey, endsAt, traffic } = more;
      return {
        ...peer,
        name: name ?? peer.name ?? fileName ?? null,
        privateKey: peer.privateKey ?? privateKey ?? null,
        endsAt: endsAt ?? peer.endsAt,
        ...(traffic && { traffic }),
      };
    }),
  };
}

interface Details {
  of: Map<PublicKey, PeerDetails>;
  left?: string[];
}

/** Of a table of names, a device's key, or its file; null for anything else. */
const detailsIn = (file: NamedText): Details | null =>
  amneziaNames(file) ?? pivpnNames(file) ?? keyAlone(file) ?? deviceFile(file);

function amneziaNames({ text }: NamedText): Details | null {
  const of = parseAmneziaClients(text);
  return of && { of };
}

/** PiVPN's configs/clients.txt: a line for each, 'anna KEY 1767225600 174063618'. */
function pivpnNames({ text }: NamedText): Details | null {
  const of = new Map<PublicKey, PeerDetails>();
  for (const line of linesOf(text).filter((each) => each.trim() !== "")) {
    const [name = "", key = "", ...more] = line.trim().split(/\s+/);
    const publicKey = asPublicKey(key);
    if (publicKey === null || more.some((each) => !/^\d{1,12}$/.test(each))) return null;
    of.set(publicKey, { name: shortName(name) });
  }
  return of.size > 0 ? { of } : null;
}

/** PiVPN's keys/anna_priv. */
function keyAlone({ name, text }: NamedText): Details | null {
  const privateKey = /_priv$/.test(name) ? asPrivateKey(text.trim()) : null;
  const fileName = shortName(baseOf(name).replace(/_priv$/, ""));
  return privateKey && { of: new Map([[publicKeyOf(privateKey), { fileName, privateKey }]]) };
}

/** Scripts keep each device's file as its name: anna.conf, wg0-client-anna.conf. Only its key is of use. */
function deviceFile({ name, text }: NamedText): Details | null {
  let privateKey: PrivateKey | null = null;
  let calls = false;
  let peers = 0;
  const left: string[] = [];
  for (const line of readLines(text)) {
    if (line.kind === "section" && line.name === "peer") peers++;
    if (line.kind !== "field") continue;
    const key = line.key.toLowerCase();
    if (key === "listenport") return null;
    if (key === "privatekey") privateKey = asPrivateKey(withoutSpaces(line.value));
    else if (key === "endpoint") calls = true;
    else if (key === "dns") left.push(`DNS = ${line.value.slice(0, DNS_SHOWN)}`);
  }
  if (privateKey === null || !calls || peers !== 1) return null;
  const fileName = shortName(
    baseOf(name)
      .replace(/\.conf$/i, "")
      .replace(/^[a-z0-9]{1,15}-client-/, ""),
  );
  return { of: new Map([[publicKeyOf(privateKey), { fileName, privateKey }]]), left };
}

const DNS_SHOWN = 80;
const baseOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? path;
