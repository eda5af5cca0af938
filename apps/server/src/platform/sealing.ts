import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Secrets at rest: AES-256-GCM under the installation's master key. `place` binds a sealed text to its row
 * ('configs.private_key:ID'), so that it cannot be moved to another (decisions, section 6).
 */
export interface Sealing {
  /** `v1.` and base64url of nonce (12 bytes), tag (16 bytes) and ciphertext. */
  seal(place: string, secret: string): string;
  /** @throws when the text was altered, moved or sealed under another key */
  open(place: string, sealed: string): string;
  /** A keyed hash for looking a secret up; base64url of 32 bytes. `purpose` separates uses. */
  hash(purpose: string, value: string): string;
}

const VERSION = "v1.";

export function makeSealing(masterKey: Buffer): Sealing {
  const derived = (info: string) => Buffer.from(hkdfSync("sha256", masterKey, Buffer.alloc(0), info, 32));
  const sealKey = derived("krug/seal/v1");
  const hashKey = derived("krug/hash/v1");
  return {
    seal(place, secret) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(place, sealed) {
      if (!sealed.startsWith(VERSION)) throw new Error(`sealed text of ${place} has an unknown version`);
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, 12), { authTagLength: 16 })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(12, 28));
      return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
    },
    hash: (purpose, value) => createHmac("sha256", hashKey).update(`${purpose}\0${value}`).digest("base64url"),
  };
}

/**
 * Reads the master key, or makes it (32 random bytes in base64, mode 0600) where the file does not exist and
 * `mayCreate` says that nothing is sealed yet.
 * @throws when the file is unreadable, malformed, open to others, or missing although data exists
 */
export function readMasterKey(path: string, mayCreate: boolean): Buffer {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new Error(`The master key ${path} cannot be read.`, { cause: error });
    if (!mayCreate)
      throw new Error(
        `The master key ${path} is missing, but the database holds data sealed with it. Put the key back; do not make a new one.`,
      );
    return createMasterKey(path);
  }
  if ((statSync(path).mode & 0o077) !== 0)
    throw new Error(`The master key ${path} is open to others. Run: chmod 600 ${path}`);
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`The master key ${path} is damaged: it must be 32 bytes in base64.`);
  return key;
}

function createMasterKey(path: string): Buffer {
  const key = randomBytes(32);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // The key is on the disk before anything is sealed with it.
  const file = openSync(path, "wx", 0o600);
  writeSync(file, `${key.toString("base64")}\n`);
  fsyncSync(file);
  closeSync(file);
  return key;
}
