import { createHash } from "node:crypto";

/** Distinguishes a repeated call from a different one with the same idempotency key. `sent`: the body as its schema reads it. */
export const requestFingerprint = (sent: object): string =>
  createHash("sha256").update(JSON.stringify(sent)).digest("base64url");
