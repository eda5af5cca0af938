declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** 32 bytes in base64, 44 characters. Secret. */
export type PrivateKey = Branded<"PrivateKey">;
/** 32 bytes in base64, 44 characters. */
export type PublicKey = Branded<"PublicKey">;
/** 32 bytes in base64, 44 characters. Secret. */
export type PresharedKey = Branded<"PresharedKey">;
