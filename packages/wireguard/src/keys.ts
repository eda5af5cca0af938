import { createPrivateKey, createPublicKey, randomBytes } from "node:crypto";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** 32 bytes in base64, 44 characters. Secret. */
export type PrivateKey = Branded<"PrivateKey">;
/** 32 bytes in base64, 44 characters. */
export type PublicKey = Branded<"PublicKey">;
/** 32 bytes in base64, 44 characters. Secret. */
export type PresharedKey = Branded<"PresharedKey">;

export interface KeyPair {
  privateKey: PrivateKey;
  publicKey: PublicKey;
}

/** 32 zero bytes: how WireGuard's tools write 'no key'. Never a valid key. */
export const NO_PRESHARED_KEY = `${"A".repeat(43)}=`;

// 43 characters carry 258 bits for 256, so the last character must leave the two spare bits zero. Otherwise several texts
// would name one key, and comparing texts would not compare keys.
const CANONICAL_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** A new X25519 pair; the private key is clamped (RFC 7748, section 5) as `wg genkey` does, so both read the same. */
export function generateKeyPair(): KeyPair {
  const bytes = randomBytes(32);
  bytes[0] = (bytes[0] ?? 0) & 248;
  bytes[31] = ((bytes[31] ?? 0) & 127) | 64;
  const privateKey = bytes.toString("base64") as PrivateKey;
  return { privateKey, publicKey: publicKeyOf(privateKey) };
}

export function publicKeyOf(privateKey: PrivateKey): PublicKey {
  // Costs a tenth of DER. `x` must be a string and is not read. Not generateKeyPairSync: Node 20 hangs exporting its keys.
  const d = Buffer.from(privateKey, "base64").toString("base64url");
  const secret = createPrivateKey({ key: { kty: "OKP", crv: "X25519", d, x: "" }, format: "jwk" });
  const { x } = createPublicKey(secret).export({ format: "jwk" });
  return Buffer.from(x ?? "", "base64url").toString("base64") as PublicKey;
}

export function generatePresharedKey(): PresharedKey {
  return randomBytes(32).toString("base64") as PresharedKey;
}

/** Null unless the text is canonical base64 of 32 bytes that are not all zero. */
export function asPublicKey(text: string): PublicKey | null {
  return isKey(text) ? (text as PublicKey) : null;
}

/** Null unless the text is canonical base64 of 32 bytes that are not all zero. */
export function asPrivateKey(text: string): PrivateKey | null {
  return isKey(text) ? (text as PrivateKey) : null;
}

/** Null unless the text is canonical base64 of 32 bytes; null also for NO_PRESHARED_KEY. */
export function asPresharedKey(text: string): PresharedKey | null {
  return isKey(text) ? (text as PresharedKey) : null;
}

function isKey(text: string): boolean {
  return CANONICAL_KEY.test(text) && text !== NO_PRESHARED_KEY;
}
