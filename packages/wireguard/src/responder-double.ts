import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  randomBytes,
} from "node:crypto";
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { blake2s } from "@noble/hashes/blake2.js";
import { makeDisguise } from "./amneziawg-wire.ts";
import type { PresharedKey, PublicKey } from "./key-text.ts";
import { generateKeyPair, type KeyPair, publicKeyOf } from "./keys.ts";
import type { TunnelParameters } from "./protocol.ts";

/** Why a responder drops a message, in a word. */
export class Dropped extends Error {}

/**
 * For tests: an interface's half of a handshake, written from the whitepaper independently of `handshake.ts` and, where possible,
 * on Node's own primitives. Returns the bytes to send. `isBusy`: it asks for a proof of the sender's address. `profile`: it is
 * AmneziaWG, in the initiator's own disguise; the lab proves that the engine uses the same one.
 */
export function makeResponder(
  keys: KeyPair,
  peers: ReadonlyMap<PublicKey, PresharedKey | null>,
  { isBusy = () => false, profile }: { isBusy?: () => boolean; profile?: TunnelParameters } = {},
) {
  const disguise = makeDisguise(profile);
  const own = raw(keys.publicKey);
  const cookie = randomBytes(16);
  const latest = new Map<string, string>();
  return (datagram: Buffer): Buffer => {
    const found = disguise.unwrap(datagram);
    if (found?.kind !== "initiation") throw new Dropped("no initiation");
    const message = Buffer.from(found.message);
    const expected = keyed(hash(Buffer.from("mac1----"), own), message.subarray(0, 116));
    if (!expected.equals(message.subarray(116, 132))) throw new Dropped("mac1");
    if (isBusy() && !keyed(cookie, message.subarray(0, 132)).equals(message.subarray(132))) {
      const nonce = randomBytes(24);
      const key = hash(Buffer.from("cookie--"), own);
      const sealed = xchacha20poly1305(key, nonce, message.subarray(116, 132)).encrypt(cookie);
      const type = disguise.blank("cookie").subarray(0, 4);
      return Buffer.from(disguise.wrap("cookie", Buffer.concat([type, message.subarray(4, 8), nonce, sealed])));
    }
    const ephemeral = message.subarray(8, 40);
    let chain = hash(Buffer.from("Noise_IKpsk2_25519_ChaChaPoly_BLAKE2s"));
    let transcript = hash(hash(hash(chain, Buffer.from("WireGuard v1 zx2c4 Jason@zx2c4.com")), own), ephemeral);
    [chain] = kdf(chain, ephemeral);
    const [withEphemeral, staticKey] = kdf(chain, dh(keys, ephemeral));
    const sender = unsealed(staticKey, message.subarray(40, 88), transcript);
    const publicKey = sender.toString("base64") as PublicKey;
    const presharedKey = peers.get(publicKey);
    if (presharedKey === undefined) throw new Dropped("nobody's key");
    transcript = hash(transcript, message.subarray(40, 88));
    const [withStatic, stampKey] = kdf(withEphemeral, dh(keys, sender));
    const stamp = unsealed(stampKey, message.subarray(88, 116), transcript).toString("hex");
    if (stamp <= (latest.get(publicKey) ?? "")) throw new Dropped("replay");
    latest.set(publicKey, stamp);
    transcript = hash(transcript, message.subarray(88, 116));

    const mine = generateKeyPair();
    transcript = hash(transcript, raw(mine.publicKey));
    [chain] = kdf(withStatic, raw(mine.publicKey));
    [chain] = kdf(chain, dh(mine, ephemeral));
    [chain] = kdf(chain, dh(mine, sender));
    const [, tau, last] = kdf(chain, presharedKey === null ? Buffer.alloc(32) : raw(presharedKey));
    const cipher = createCipheriv("chacha20-poly1305", last, Buffer.alloc(12), { authTagLength: 16 });
    cipher.setAAD(hash(transcript, tau), { plaintextLength: 0 });
    cipher.final();
    const head = Buffer.concat([
      disguise.blank("response").subarray(0, 4),
      randomBytes(4),
      message.subarray(4, 8),
      raw(mine.publicKey),
      cipher.getAuthTag(),
    ]);
    const mac1 = keyed(hash(Buffer.from("mac1----"), sender), head);
    return Buffer.from(disguise.wrap("response", Buffer.concat([head, mac1, Buffer.alloc(16)])));
  };
}

const raw = (key: string) => Buffer.from(key, "base64");
const hash = (...parts: Buffer[]) => createHash("blake2s256").update(Buffer.concat(parts)).digest();
type Digest = ReturnType<typeof hash>;
const keyed = (key: Buffer, text: Buffer) => Buffer.from(blake2s(text, { key, dkLen: 16 }));
const hmacOf = (key: Buffer, ...parts: Buffer[]) => createHmac("blake2s256", key).update(Buffer.concat(parts)).digest();

function kdf(chain: Buffer, input: Buffer): [Digest, Digest, Digest] {
  const secret = hmacOf(chain, input);
  const first = hmacOf(secret, Buffer.from([1]));
  const second = hmacOf(secret, first, Buffer.from([2]));
  return [first, second, hmacOf(secret, second, Buffer.from([3]))];
}

function dh({ privateKey }: Pick<KeyPair, "privateKey">, publicKey: Buffer): Buffer {
  const of = { kty: "OKP", crv: "X25519" };
  const x = raw(publicKeyOf(privateKey)).toString("base64url");
  return diffieHellman({
    privateKey: createPrivateKey({ key: { ...of, d: raw(privateKey).toString("base64url"), x }, format: "jwk" }),
    publicKey: createPublicKey({ key: { ...of, x: publicKey.toString("base64url") }, format: "jwk" }),
  });
}

function unsealed(key: Buffer, sealed: Buffer, aad: Buffer): Buffer {
  const text = sealed.subarray(0, -16);
  const decipher = createDecipheriv("chacha20-poly1305", key, Buffer.alloc(12), { authTagLength: 16 });
  decipher.setAAD(aad, { plaintextLength: text.length }).setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]);
  } catch {
    throw new Dropped("altered");
  }
}
