import { randomBytes, randomInt } from "node:crypto";
import { chacha20 } from "@noble/ciphers/chacha.js";
import { amneziaValue, CHAIN_TAG, PROFILE_BOUNDS, rangeOf } from "./amneziawg.ts";
import type { TunnelParameters } from "./protocol.ts";

/*
 * How handshake messages look on the wire (amneziawg-go, device/send.go and receive.go): random padding, the message, whose type
 * is a number of the profile's own and which may be encrypted, and random bytes after it.
 */

/** The order in which an engine tries them. */
const KINDS = ["initiation", "response", "cookie"] as const;
export type MessageKind = (typeof KINDS)[number];

export interface Disguise {
  /** A message of zeros except for its type. */
  blank(kind: MessageKind): Buffer;
  /** The datagram for a complete message: its MACs are those of the bare message. */
  wrap(kind: MessageKind, message: Uint8Array): Uint8Array;
  /** The message in a datagram; null if it holds no handshake message. */
  unwrap(datagram: Uint8Array): { kind: MessageKind; message: Uint8Array } | null;
  /** The datagrams before an initiation. No one reads them: some networks only let pass traffic that starts like this. */
  opening(now: number): Uint8Array[];
}

const FIELDS = {
  initiation: { padding: "s1", header: "h1" },
  response: { padding: "s2", header: "h2" },
  cookie: { padding: "s3", header: "h3" },
} as const;

const NONCE_BYTES = 12;
/** With its trailer a message stays below this size, unless it was larger before. */
const TRAILED_BELOW = 500;

/** For a profile an engine accepts. Without parameters: plain WireGuard. */
export function makeDisguise(parameters: TunnelParameters = {}): Disguise {
  const value = (name: string) => amneziaValue({ parameters }, name);
  const formOf = (kind: MessageKind) => {
    const { padding, header } = FIELDS[kind];
    return { padding: Number(value(padding)), bytes: PROFILE_BOUNDS.fixed[padding], header: rangeOf(value(header)) };
  };
  const forms = { initiation: formOf("initiation"), response: formOf("response"), cookie: formOf("cookie") };
  const hasTrailers = value("random_trailers") === "1";
  const secret = Buffer.from(value("header_protection_key"), "hex");
  const isProtected = secret.some((byte) => byte !== 0);
  const chains = ["i1", "i2", "i3", "i4", "i5"].map(value).filter((chain) => chain !== "");
  const [junkCount, junkFrom, junkTo] = [Number(value("jc")), Number(value("jmin")), Number(value("jmax"))];

  /** Encrypts and decrypts. The nonce is the start of the padding. */
  const protect = (datagram: Uint8Array, message: Uint8Array): Uint8Array =>
    isProtected ? chacha20(secret, datagram.subarray(0, NONCE_BYTES), message) : message;

  return {
    blank(kind) {
      const { bytes, header } = forms[kind];
      const message = Buffer.alloc(bytes);
      message.writeUInt32LE(header.from + randomInt(header.to - header.from + 1));
      return message;
    },

    wrap(kind, message) {
      const padding = randomBytes(forms[kind].padding);
      const room = TRAILED_BELOW - padding.length - message.length;
      const trailer = randomBytes(hasTrailers && room > 0 ? randomInt(room) : 0);
      return Buffer.concat([padding, protect(padding, message), trailer]);
    },

    unwrap(datagram) {
      for (const kind of KINDS) {
        const { padding, bytes, header } = forms[kind];
        const size = padding + bytes;
        if (datagram.length !== size && !(hasTrailers && datagram.length > size)) continue;
        const message = Buffer.from(protect(datagram, datagram.subarray(padding, size)));
        const type = message.readUInt32LE();
        if (type >= header.from && type <= header.to) return { kind, message };
      }
      return null;
    },

    opening: (now) => [
      ...chains.map((chain) => packetOf(chain, now)),
      // An interface made elsewhere may have the bounds swapped: its engine never sends any.
      ...Array.from({ length: junkCount }, () => randomBytes(randomInt(junkFrom, Math.max(junkFrom, junkTo) + 1))),
    ],
  };
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";

/** The contents of a chain's tags, in order. `now`: ms since 1970. */
function packetOf(chain: string, now: number): Buffer {
  const parts = Array.from(chain.matchAll(CHAIN_TAG), ([, bytes, kind, count]) => {
    if (bytes !== undefined) return Buffer.from(bytes, "hex");
    if (kind === "r") return randomBytes(Number(count));
    if (kind !== undefined) return randomText(kind === "rc" ? LETTERS : DIGITS, Number(count));
    const seconds = Buffer.alloc(4);
    seconds.writeUInt32BE(Math.floor(now / 1_000) % 2 ** 32);
    return seconds;
  });
  return Buffer.concat(parts);
}

/** Slightly uneven, as in the engines. */
const randomText = (letters: string, length: number): Buffer =>
  Buffer.from(Array.from(randomBytes(length), (byte) => letters.charCodeAt(byte % letters.length)));
