import { randomInt } from "node:crypto";
import { RECOVERY_CODES } from "@krug/domain/two-factor-rules";

/** Without 0 o 1 i l, which are easily confused. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const HALF = 4;
const BARE = new RegExp(`^[${ALPHABET}]{${2 * HALF}}$`);

const half = () => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** Ten different ones, as shown: 'abcd-efgh'. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(`${half()}-${half()}`);
  return [...codes];
}

/** A recovery code as it is hashed, from what was typed (any case, spaces, hyphens), or null. */
export function readRecoveryCode(typed: string): string | null {
  const bare = typed.replace(/[\s-]/g, "").toLowerCase();
  return BARE.test(bare) ? bare : null;
}
