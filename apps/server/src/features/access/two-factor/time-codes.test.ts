import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { newRecoveryCodes, readRecoveryCode } from "./recovery-codes.ts";
import { addressOfSecret, newSecret, stepsOfCode } from "./time-codes.ts";

const STEP_MS = 30_000;
/** RFC 6238, appendix B: '12345678901234567890' in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("the code at second %i is the one of RFC 6238", (second, code) => {
  expect(stepsOfCode(RFC_SECRET, code, second * 1000)).toEqual([Math.floor(second / 30)]);
});

/** RFC 4226 in a few lines, as a second implementation. */
function codeAt(base32: string, step: number): string {
  const bits = [...base32].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const key = Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

test("a code counts in its own half minute, the one before and the one after, and no further", () => {
  const secret = newSecret();
  const step = 59_000_000;
  const code = codeAt(secret, step);
  for (const offset of [-1, 0, 1]) expect(stepsOfCode(secret, code, (step + offset) * STEP_MS)).toContain(step);
  for (const offset of [-2, 2]) expect(stepsOfCode(secret, code, (step + offset) * STEP_MS)).not.toContain(step);
});

test("a secret is 20 random bytes in base32, with an address that authenticators read", () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(secret);
  const address = new URL(addressOfSecret(secret, "boris"));
  expect(address.protocol).toBe("otpauth:");
  expect(address.searchParams.get("secret")).toBe(secret);
  expect(address.searchParams.get("issuer")).toBe("Круг");
  expect(decodeURIComponent(address.pathname)).toContain("Круг:boris");
  expect(address.searchParams.get("digits")).toBe("6");
  expect(address.searchParams.get("period")).toBe("30");
});

test("recovery codes are ten different ones in two halves, read however they are typed", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}$/);
    expect(readRecoveryCode(` ${code.toUpperCase().replace("-", " ")} `)).toBe(code.replace("-", ""));
  }
  for (const no of ["", "123456", "abcd-efg", "abcd-efgh-j", "abcd-efg1", "abcd-efgl"])
    expect(readRecoveryCode(no), no).toBeNull();
});
