import { createPrivateKey, createPublicKey, randomBytes } from "node:crypto";
import type { PresharedKey, PrivateKey, PublicKey } from "./key-text.ts";

export interface KeyPair {
  privateKey: PrivateKey;
  publicKey: PublicKey;
}

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
