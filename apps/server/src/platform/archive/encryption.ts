import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { promisify } from "node:util";
import { Decrypter, Encrypter, type Identity, type Recipient, Stanza } from "age-encryption";

/** How a backup is encrypted: with a passphrase, or for an age key. Only tests set another work factor than ours. */
export type Lock = { passphrase: string; workFactor?: number | undefined } | { recipient: string };
/** How it is decrypted: with that passphrase, or with lines of an age identity file. */
export type Opener = { passphrase: string } | { identities: readonly string[] };

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 128 MiB and about 0.4 s a guess: affordable for a panel on a small machine too. */
const WORK_FACTOR = 17;
/** A file that asks for more than 1 GiB is not one of ours. */
const MOST_WORK_FACTOR = 20;

const wrapKeyOf = (passphrase: string, salt: Buffer, logN: number) =>
  derive(passphrase, Buffer.concat([Buffer.from("age-encryption.org/v1/scrypt"), salt]), 32, {
    N: 2 ** logN,
    r: 8,
    p: 1,
    maxmem: 2 ** logN * 8 * 128 + 2 ** 20,
  });
const NONCE = Buffer.alloc(12);
const TAG_BYTES = 16;

/** age's scrypt recipient, derived on another thread: the library's own would stop the panel for a second. */
const byPassphrase = (passphrase: string, workFactor = WORK_FACTOR): Recipient & Identity => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(16);
    const key = await wrapKeyOf(passphrase, salt, workFactor);
    const cipher = createCipheriv("chacha20-poly1305", key, NONCE, { authTagLength: TAG_BYTES });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    return [new Stanza(["scrypt", salt.toString("base64").replace(/(?<!=)=+$/, ""), String(workFactor)], body)];
  },
  async unwrapFileKey(stanzas) {
    const [stanza, ...others] = stanzas;
    const [kind, salt = "", factor = ""] = stanza?.args ?? [];
    if (stanza === undefined || kind !== "scrypt" || others.length > 0) return null;
    const logN = /^[1-9]\d?$/.test(factor) ? Number(factor) : MOST_WORK_FACTOR + 1;
    if (logN > MOST_WORK_FACTOR || stanza.body.length !== 16 + TAG_BYTES) throw new Error("invalid scrypt stanza");
    const key = await wrapKeyOf(passphrase, Buffer.from(salt, "base64"), logN);
    const decipher = createDecipheriv("chacha20-poly1305", key, NONCE, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(stanza.body.subarray(16));
    try {
      return Buffer.concat([decipher.update(stanza.body.subarray(0, 16)), decipher.final()]);
    } catch {
      return null;
    }
  },
});

type Bytes = ReadableStream<Uint8Array> & globalThis.ReadableStream<Uint8Array>;
const toWeb = (stream: Readable) => Readable.toWeb(stream) as Bytes;
const fromWeb = (stream: globalThis.ReadableStream<Uint8Array>) => Readable.fromWeb(stream as Bytes);

/** What is wrong with a public key, or null. */
export function whyNoRecipient(text: string): "other" | "unreadable" | null {
  try {
    new Encrypter().addRecipient(text);
    return /^age1[a-z0-9]+$/.test(text) ? null : "other";
  } catch {
    return "unreadable";
  }
}

/** The stream's content as an age file (age-encryption.org/v1), encrypted as it arrives. */
export async function encrypted(content: Readable, lock: Lock): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient("passphrase" in lock ? byPassphrase(lock.passphrase, lock.workFactor) : lock.recipient);
  return fromWeb(await encrypter.encrypt(toWeb(content)));
}

/** @throws at once if the file is not an age file or cannot be decrypted; the stream fails if it is damaged further on */
export async function decrypted(file: Readable, opener: Opener): Promise<Readable> {
  const decrypter = new Decrypter();
  if ("passphrase" in opener) decrypter.addIdentity(byPassphrase(opener.passphrase));
  else for (const identity of opener.identities) decrypter.addIdentity(identity);
  return fromWeb(await decrypter.decrypt(toWeb(file)));
}
