declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** 32 bytes in base64, 44 characters. Secret. */
export type PrivateKey = Branded<"PrivateKey">;
/** 32 bytes in base64, 44 characters. */
export type PublicKey = Branded<"PublicKey">;
/** 32 bytes in base64, 44 characters. Secret. */
export type PresharedKey = Branded<"PresharedKey">;

/** 32 zero bytes: how WireGuard's tools write 'no key'. Never a valid key. */
export const NO_PRESHARED_KEY = `${"A".repeat(43)}=`;

// 43 characters carry 258 bits for 256, so the last character must leave the two spare bits zero. Otherwise several texts
// would name one key, and comparing texts would not compare keys.
const CANONICAL_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

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
