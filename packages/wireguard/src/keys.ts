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
/** What WireGuard's tools read as 'no preshared key': 32 zero bytes. Never a PresharedKey. */
export const NO_PRESHARED_KEY = `${"A".repeat(43)}=`;
export function generateKeyPair(): KeyPair {
  throw new Error("not written yet");
}
export function publicKeyOf(privateKey: PrivateKey): PublicKey {
  throw new Error(`not written yet ${privateKey.length}`);
}
export function generatePresharedKey(): PresharedKey {
  throw new Error("not written yet");
}
/** Null unless canonical base64 of 32 bytes that are not all zero. */
export function asPublicKey(text: string): PublicKey | null {
  throw new Error(`not written yet ${text.length}`);
}
export function asPrivateKey(text: string): PrivateKey | null {
  throw new Error(`not written yet ${text.length}`);
}
/** Null also for NO_PRESHARED_KEY, which means that there is none. */
export function asPresharedKey(text: string): PresharedKey | null {
  throw new Error(`not written yet ${text.length}`);
}
