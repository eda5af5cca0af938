import { createPrivateKey, createPublicKey, diffieHellman, randomBytes } from "node:crypto";
import { chacha20poly1305, xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { blake2s } from "@noble/hashes/blake2.js";
import { hmac } from "@noble/hashes/hmac.js";
import { makeDisguise } from "./amneziawg-wire.ts";
import type { PresharedKey, PrivateKey, PublicKey } from "./key-text.ts";
import { generateKeyPair, publicKeyOf } from "./keys.ts";
import type { TunnelParameters } from "./protocol.ts";

/*
 * The first half of a WireGuard session: Noise_IKpsk2 as in the whitepaper (https://www.wireguard.com/papers/wireguard.pdf,
 * section 5.4, whose names are used here). It ends with the responder's answer: nobody sends data. AmneziaWG's messages differ
 * only in their types; `amneziawg-wire.ts` has their wire format.
 */
const CONSTRUCTION = Buffer.from("Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s");
const IDENTIFIER = Buffer.from("WireGuard v1 zx2c4 Jason@zx2c4.com");
const LABEL_MAC1 = Buffer.from("mac1----");
const LABEL_COOKIE = Buffer.from("cookie--");

const INITIATION = { mac1: 116, mac2: 132 };
const RESPONSE = { mac1: 60 };

/** A responder changes its secret every two minutes and rejects cookies made with the previous one. */
const COOKIE_FOR_MS = 120_000;
const ZERO_NONCE = new Uint8Array(12);
/** TAI64 of 1970-01-01, with the ten leap seconds up to then. */
const TAI64_EPOCH = 0x4000_0000_0000_000an;

/** The two ends of a handshake. */
export interface HandshakeKeys {
  /** Of the initiator. */
  privateKey: PrivateKey;
  /** Of the interface. */
  interfaceKey: PublicKey;
  presharedKey?: PresharedKey | null;
  /** What an AmneziaWG interface shares with its devices; omitted for plain WireGuard. */
  profile?: TunnelParameters | undefined;
  /** When the last initiation of this key was made, from `latest`; ms since 1970. */
  after?: number;
}

/**
 * What a datagram was. `accepted`: the interface has the private key of its public one, has us as a peer, and answered the last
 * initiation. `cookie`: it is busy and wants an initiation that proves our address. Null: not part of this handshake.
 */
export type Reply = "accepted" | "cookie" | null;

export interface Initiator {
  /**
   * The datagrams to send, in this order. The last is the next initiation, which replaces the previous one; others are a
   * profile's opening. `now`: ms since 1970. An interface drops an initiation that is not later than the last one it accepted
   * from this key.
   */
  initiate(now: number): Uint8Array[];
  read(datagram: Uint8Array, now: number): Reply;
  /** The time in the last initiation. The next one is later, even if the clock went back. */
  latest(): number;
}

/** State between an initiation and its answer. */
interface Pending {
  sender: Uint8Array;
  ephemeral: PrivateKey;
  chain: Uint8Array;
  hash: Uint8Array;
  mac1: Uint8Array;
}

export function makeInitiator(keys: HandshakeKeys): Initiator {
  const { privateKey, interfaceKey, presharedKey = null, profile, after = 0 } = keys;
  const disguise = makeDisguise(profile);
  const own = bytesOf(publicKeyOf(privateKey));
  const theirs = bytesOf(interfaceKey);
  let pending: Pending | null = null;
  let cookie: { bytes: Uint8Array; until: number } | null = null;
  let latest = after;

  const readResponse = (message: Uint8Array, { sender, ephemeral, chain, hash }: Pending): boolean => {
    const expected = mac(digest(LABEL_MAC1, own), message.subarray(0, RESPONSE.mac1));
    if (!isSame(message.subarray(8, 12), sender)) return false;
    if (!isSame(message.subarray(RESPONSE.mac1, RESPONSE.mac1 + 16), expected)) return false;
    const theirEphemeral = message.subarray(12, 44);
    const [shared, staticShared] = [agree(ephemeral, theirEphemeral), agree(privateKey, theirEphemeral)];
    if (shared === null || staticShared === null) return false;
    const [mixed] = derive(chain, theirEphemeral);
    const [withEphemeral] = derive(mixed, shared);
    const [withStatic] = derive(withEphemeral, staticShared);
    const preshared = presharedKey === null ? new Uint8Array(32) : bytesOf(presharedKey);
    const [, tau, key] = derive(withStatic, preshared);
    return open(key, message.subarray(44, 60), digest(digest(hash, theirEphemeral), tau)) !== null;
  };

  return {
    initiate(now) {
      const { privateKey: ephemeral, publicKey } = generateKeyPair();
      const ephemeralKey = bytesOf(publicKey);
      const sender = randomBytes(4);
      latest = Math.max(now, latest + 1);

      const initial = digest(CONSTRUCTION);
      const [chain0] = derive(initial, ephemeralKey);
      const hash0 = digest(digest(digest(initial, IDENTIFIER), theirs), ephemeralKey);
      const [chain1, key1] = derive(chain0, required(agree(ephemeral, theirs)));
      const sealedStatic = seal(key1, own, hash0);
      const hash1 = digest(hash0, sealedStatic);
      const [chain, key2] = derive(chain1, required(agree(privateKey, theirs)));
      const sealedStamp = seal(key2, tai64n(latest), hash1);

      const message = disguise.blank("initiation");
      message.set(sender, 4);
      message.set(ephemeralKey, 8);
      message.set(sealedStatic, 40);
      message.set(sealedStamp, 88);
      const mac1 = mac(digest(LABEL_MAC1, theirs), message.subarray(0, INITIATION.mac1));
      message.set(mac1, INITIATION.mac1);
      if (cookie !== null && now < cookie.until)
        message.set(mac(cookie.bytes, message.subarray(0, INITIATION.mac2)), INITIATION.mac2);
      pending = { sender, ephemeral, chain, hash: digest(hash1, sealedStamp), mac1 };
      return [...disguise.opening(now), disguise.wrap("initiation", message)];
    },

    read(datagram, now) {
      if (pending === null) return null;
      const found = disguise.unwrap(datagram);
      if (found === null || found.kind === "initiation") return null;
      const { kind, message } = found;
      if (kind === "response") {
        if (!readResponse(message, pending)) return null;
        pending = null;
        return "accepted";
      }
      if (!isSame(message.subarray(4, 8), pending.sender)) return null;
      const cipher = xchacha20poly1305(digest(LABEL_COOKIE, theirs), message.subarray(8, 32), pending.mac1);
      const bytes = orNull(() => cipher.decrypt(message.subarray(32)));
      if (bytes === null) return null;
      cookie = { bytes, until: now + COOKIE_FOR_MS };
      return "cookie";
    },

    latest: () => latest,
  };
}

const bytesOf = (key: string): Uint8Array => Buffer.from(key, "base64");

const digest = (...parts: Uint8Array[]): Uint8Array => blake2s(Buffer.concat(parts));

const mac = (key: Uint8Array, message: Uint8Array): Uint8Array => blake2s(message, { key, dkLen: 16 });

/** Three keys of 32 bytes; KDF1 and KDF2 of the paper are the first one and the first two. */
function derive(chain: Uint8Array, input: Uint8Array): [Uint8Array, Uint8Array, Uint8Array] {
  const secret = hmac(blake2s, chain, input);
  const first = hmac(blake2s, secret, Uint8Array.of(1));
  const second = hmac(blake2s, secret, Buffer.concat([first, Uint8Array.of(2)]));
  return [first, second, hmac(blake2s, secret, Buffer.concat([second, Uint8Array.of(3)]))];
}

const seal = (key: Uint8Array, text: Uint8Array, hash: Uint8Array): Uint8Array =>
  chacha20poly1305(key, ZERO_NONCE, hash).encrypt(text);

const open = (key: Uint8Array, sealed: Uint8Array, hash: Uint8Array): Uint8Array | null =>
  orNull(() => chacha20poly1305(key, ZERO_NONCE, hash).decrypt(sealed));

/** X25519; null if the other side's key is one of the few that yield the same secret with everybody. */
function agree(privateKey: PrivateKey, publicKey: Uint8Array): Uint8Array | null {
  const jwk = { kty: "OKP", crv: "X25519" };
  const d = Buffer.from(privateKey, "base64").toString("base64url");
  const x = Buffer.from(publicKey).toString("base64url");
  return orNull(() =>
    diffieHellman({
      privateKey: createPrivateKey({ key: { ...jwk, d, x: "" }, format: "jwk" }),
      publicKey: createPublicKey({ key: { ...jwk, x }, format: "jwk" }),
    }),
  );
}

function required(shared: Uint8Array | null): Uint8Array {
  if (shared === null) throw new RangeError("Not a public key that an interface can have");
  return shared;
}

/** The paper's TIMESTAMP(): seconds in 8 bytes and nanoseconds in 4, both big-endian. */
function tai64n(ms: number): Uint8Array {
  const stamp = Buffer.alloc(12);
  stamp.writeBigUInt64BE(TAI64_EPOCH + BigInt(Math.floor(ms / 1_000)));
  stamp.writeUInt32BE((ms % 1_000) * 1_000_000, 8);
  return stamp;
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

function orNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
