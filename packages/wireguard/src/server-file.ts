import type { AmneziaProfile } from "./amneziawg.ts";
import { asPresharedKey, NO_PRESHARED_KEY, type PresharedKey, type PrivateKey, type PublicKey } from "./key-text.ts";

/** An interface as another program stored it on its server. */
export interface ServerFile {
  privateKey: PrivateKey;
  publicKey: PublicKey;
  /** With prefix and host bits, e.g. ["10.8.0.1/24"]; a single host if the file has no prefix; empty if it has no address. */
  addresses: string[];
  /** Null if the file does not say. */
  listenPort: number | null;
  /** Bytes, null if the file does not say. */
  mtu: number | null;
  /** Null for plain WireGuard. */
  profile: AmneziaProfile | null;
  /** The file does not say whether the profile is in use: its program also stores one with a plain tunnel. */
  mayBePlain: boolean;
  /** Lines of the interface that are ignored, by name in the file's order: "PostUp" … */
  ignored: string[];
  /** What could not be read, without spoiling the rest. */
  unread: UnreadField[];
  /** At most one per key. */
  peers: ServerFilePeer[];
}

/** A field that was skipped. */
export interface UnreadField {
  /** 1-based; null in a file that has no lines. */
  line: number | null;
  field: string;
}

export interface ServerFilePeer {
  /** Its name in the file, null if it has none. */
  name: string | null;
  publicKey: PublicKey;
  presharedKey: PresharedKey | null;
  /** Null unless the file has it: a WireGuard server does not need it. */
  privateKey: PrivateKey | null;
  /** Canonical networks, e.g. ["10.8.0.2/32"]. */
  allowedIps: string[];
  /** Part of it could not be read, and without that part it would be a different peer. */
  isBroken: boolean;
  isEnabled: boolean;
  /** When its program disables it, ISO 8601; null for never. */
  endsAt: string | null;
  /** What it transferred so far, in bytes, if its program counts; `received` by the server. */
  traffic?: PeerTraffic;
}

export interface PeerTraffic {
  received: number;
  sent: number;
}

/**
 * Why a file cannot be read. Never quotes a value, which may be a key. `at`: with `line` its 1-based number, with `missing` the
 * field, with `outdated` the parameters of a version that nothing here speaks, with `program` whose file it is instead. `device`: it
 * is a device's file, `names`: only the table of names next to a server's file. Of several files: `no_server` if none of them has
 * the interface, `several` if they have more than one, with their files.
 */
export class ServerFileError extends Error {
  readonly reason:
    | "unreadable"
    | "line"
    | "missing"
    | "outdated"
    | "program"
    | "device"
    | "names"
    | "no_server"
    | "several";
  readonly at: string;
  /** Of several files: the name of the one. */
  file: string | null = null;

  constructor(reason: ServerFileError["reason"], at = "") {
    super(`${reason} ${at}`.trim());
    this.name = "ServerFileError";
    this.reason = reason;
    this.at = at;
  }
}

/**
 * If two peers have the same key, the later one's networks count, and what it lacks comes from the earlier one. A disabled one gives
 * way.
 */
export function asWireguardHasThem(peers: readonly ServerFilePeer[]): ServerFilePeer[] {
  const found = new Map<PublicKey, ServerFilePeer>();
  const limited = [...peers.filter(({ isEnabled }) => !isEnabled), ...peers.filter(({ isEnabled }) => isEnabled)];
  for (const peer of limited) {
    const earlier = found.get(peer.publicKey);
    const { name = null, presharedKey = null, privateKey = null } = earlier ?? {};
    found.set(peer.publicKey, {
      ...peer,
      name: peer.name ?? name,
      presharedKey: peer.presharedKey ?? presharedKey,
      privateKey: peer.privateKey ?? privateKey,
    });
  }
  const order = [...new Set(peers.map(({ publicKey }) => publicKey))];
  return order.flatMap((publicKey) => found.get(publicKey) ?? []);
}

/** Null for none, undefined if it is not a key. */
export const presharedKeyIn = (value: string): PresharedKey | null | undefined =>
  value === "" || value === NO_PRESHARED_KEY ? null : (asPresharedKey(value) ?? undefined);

export const wholeNumber = (text: string, least: number, most: number): number | null =>
  /^[0-9]{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null;
