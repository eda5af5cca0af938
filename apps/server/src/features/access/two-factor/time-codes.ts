import { SECOND_MS } from "@krug/domain/moment";
import { TWO_FACTOR_CODE_LENGTH } from "@krug/domain/two-factor-rules";
import { HOTP, Secret, TOTP } from "otpauth";
import { isSameText } from "../../../platform/same-text.ts";

const STEP_MS = 30 * SECOND_MS;
/** A code of the step before or after counts too: clocks differ and people type slowly. */
const WINDOW = [-1, 0, 1];
const SECRET_BYTES = 20;
const OPTIONS = { algorithm: "SHA1", digits: TWO_FACTOR_CODE_LENGTH } as const;

/** 20 random bytes in base32: 32 characters (RFC 6238, RFC 4648). */
export const newSecret = () => new Secret({ size: SECRET_BYTES }).base32;

/** What an authenticator app scans: otpauth://totp/… */
export const addressOfSecret = (secret: string, username: string) =>
  new TOTP({ ...OPTIONS, issuer: "Круг", label: username, secret: Secret.fromBase32(secret) }).toString();

/** The 30-second steps around `at` (ms) that this code fits; all are compared, each in constant time. */
export function stepsOfCode(secret: string, code: string, at: number): number[] {
  const key = Secret.fromBase32(secret);
  const now = Math.floor(at / STEP_MS);
  return WINDOW.map((offset) => now + offset).filter((counter) =>
    isSameText(HOTP.generate({ ...OPTIONS, secret: key, counter }), code),
  );
}

/** The latest step whose code can be right at `at`, ms: a later one was used under a clock that ran ahead. */
export const latestStepAt = (at: number): number => Math.floor(at / STEP_MS) + Math.max(...WINDOW);
