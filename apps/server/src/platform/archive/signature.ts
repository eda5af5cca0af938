import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { Sealing } from "../sealing.ts";

/*
 * Who made a backup (docs/adr/0065-a-backup-is-rows-in-an-age-file.md): Ed25519 with a key derived from the club's hash key,
 * which survives a new master key. Having only the public key that backups are encrypted for is not enough to make one.
 */

/** The DER prefix of a key's 32 bytes (RFC 8410). */
const BEFORE_PRIVATE = Buffer.from("302e020100300506032b657004220420", "hex");
const BEFORE_PUBLIC = Buffer.from("302a300506032b6570032100", "hex");

export interface Signer {
  /** Base64 of 32 bytes. */
  publicKey: string;
  /** Base64. */
  sign(text: string): string;
}

export function signerBy({ hash }: Pick<Sealing, "hash">): Signer {
  const seed = Buffer.from(hash("backup-signing", "v1"), "base64url");
  const key = createPrivateKey({ key: Buffer.concat([BEFORE_PRIVATE, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(BEFORE_PUBLIC.length);
  return {
    publicKey: publicKey.toString("base64"),
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64"),
  };
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const bytes = Buffer.from(publicKey, "base64");
  if (bytes.length !== 32) return false;
  const key = createPublicKey({ key: Buffer.concat([BEFORE_PUBLIC, bytes]), format: "der", type: "spki" });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
}

/** A club's mark for people to compare: '3F2A-99C1-07BD-E411'. */
export const markOf = (publicKey: string): string =>
  (createHash("sha256").update(publicKey).digest("hex").slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join("-");
