import { randomBytes } from "node:crypto";
import type { Generation } from "../../../hosts/host.ts";
import { isSameText } from "../../../platform/same-text.ts";
import type { Sealing } from "../../../platform/sealing.ts";

/*
 * A generation's token proves that the club issued it (docs/adr/0083-a-generation-is-signed-by-its-club.md). It is a UUIDv8
 * (RFC 9562, section 5.8), which machines store like any token: 32 random bits, then 90 bits of an HMAC-SHA256 over those and the
 * generation's fields, under the club's own hash key.
 */

type Signing = Pick<Sealing, "hash">;
type Said = Omit<Generation, "token">;

const RANDOM_BYTES = 4;
const BYTES = 16;

function tokenOf({ hash }: Signing, { club, number, since }: Said, random: Buffer): string {
  const signature = hash("generation", [club, number, since, random.toString("hex")].join(" "));
  const bytes = Buffer.concat([random, Buffer.from(signature, "base64url")]).subarray(0, BYTES);
  bytes[6] = 0x80 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Two restores of one backup get different tokens. */
export const newToken = (signing: Signing, said: Said): string => tokenOf(signing, said, randomBytes(RANDOM_BYTES));

/** Whether a panel of this club issued the generation, running a version that signs them. */
export function isSigned(signing: Signing, { token, ...said }: Generation): boolean {
  const random = Buffer.from(token.slice(0, 2 * RANDOM_BYTES), "hex");
  return random.length === RANDOM_BYTES && isSameText(tokenOf(signing, said, random), token);
}
