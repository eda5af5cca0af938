import { base } from "../../../lib/base.ts";

/** A WireGuard key pair in base64, made in the browser: the panel learns only the public half. */
export interface KeyPair {
  privateKey: string;
  publicKey: string;
}

const toBase64 = (base64Url: string) => {
  const plain = base64Url.replaceAll("-", "+").replaceAll("_", "/");
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, "=");
};

/**
 * X25519 by WebCrypto (RFC 7748); null if the browser has none or the page is not secure. Nor inside Telegram: the only file with the
 * key could not leave the page.
 */
export async function makeKeyPair(): Promise<KeyPair | null> {
  if (base) return null;
  try {
    const pair = (await crypto.subtle.generateKey({ name: "X25519" }, true, ["deriveBits"])) as CryptoKeyPair;
    const { d, x } = await crypto.subtle.exportKey("jwk", pair.privateKey);
    return d && x ? { privateKey: toBase64(d), publicKey: toBase64(x) } : null;
  } catch {
    return null;
  }
}

/** Inserts the key into the file that the panel made without it. */
export function withPrivateKey(template: string, privateKey: string): string {
  const line = `PrivateKey = ${privateKey}`;
  const filled = template.replace(/^[ \t]*PrivateKey[ \t]*=.*$/m, () => line);
  return filled.includes(line) ? filled : template.replace(/^\[Interface\][ \t]*$/m, (head) => `${head}\n${line}`);
}

/** The key in a file that was filled in here. */
export const privateKeyIn = (file: string): string | null => /^PrivateKey = (\S+)$/m.exec(file)?.[1] ?? null;
