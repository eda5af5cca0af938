import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asPresharedKey, asPrivateKey, asPublicKey, NO_PRESHARED_KEY, type PrivateKey } from "./key-text.ts";
import { generateKeyPair, generatePresharedKey, publicKeyOf } from "./keys.ts";

const bytesOf = (key: string) => Buffer.from(key, "base64");
const hex = (text: string) => Buffer.from(text, "hex").toString("base64");

describe("key pairs", () => {
  test("a private key gives the public key printed in RFC 7748, section 6.1", () => {
    const bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb") as PrivateKey;
    expect(publicKeyOf(bob)).toBe(hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"));
  });

  test("every new private key is clamped (RFC 7748, section 5) and unique", () => {
    const pairs = Array.from({ length: 200 }, generateKeyPair);
    for (const { privateKey, publicKey } of pairs) {
      const bytes = bytesOf(privateKey);
      expect(bytes.length).toBe(32);
      expect((bytes[0] ?? 0) & 7).toBe(0);
      expect((bytes[31] ?? 0) & 0b1100_0000).toBe(0b0100_0000);
      expect(publicKeyOf(privateKey)).toBe(publicKey);
      expect(asPrivateKey(privateKey)).toBe(privateKey);
      expect(asPublicKey(publicKey)).toBe(publicKey);
    }
    expect(new Set(pairs.map(({ privateKey }) => privateKey)).size).toBe(200);
  });

  test("a new preshared key is valid and unique", () => {
    const keys = Array.from({ length: 200 }, generatePresharedKey);
    expect(keys.every((key) => asPresharedKey(key) === key)).toBe(true);
    expect(new Set(keys).size).toBe(200);
  });

  test.skipIf(!hasWg())("`wg pubkey` reads our private keys to the same public key", () => {
    for (const { privateKey, publicKey } of Array.from({ length: 5 }, generateKeyPair)) {
      expect(execFileSync("wg", ["pubkey"], { input: privateKey, encoding: "utf8" }).trim()).toBe(publicKey);
    }
  });
});

describe("a key", () => {
  const good = hex("ff".repeat(32));

  test.each([
    ["nothing", ""],
    ["zeros, which the tools read as 'none'", NO_PRESHARED_KEY],
    ["no padding", good.slice(0, 43)],
    ["31 bytes", hex("ff".repeat(31))],
    ["33 bytes", hex("ff".repeat(33))],
    ["spare bits that are not zero: a second text for the same bytes", `${good.slice(0, 42)}9=`],
    ["the URL alphabet", good.replaceAll("/", "_")],
    ["a newline after it", `${good}\n`],
    ["a line of its own inside", `${good.slice(0, 20)}\n${good.slice(21)}`],
    ["a blank before it", ` ${good.slice(1)}`],
    ["64 hexadecimal digits", "ff".repeat(32)],
    ["letters from elsewhere", `${"я".repeat(43)}=`],
  ])("cannot be %s", (_, text) => {
    expect([asPublicKey(text), asPrivateKey(text), asPresharedKey(text)]).toEqual([null, null, null]);
  });

  test("is the base64 of any 32 bytes that are not all zero, and no other text for them", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom(..."ABCDEFGHIJ0123456789+/"),
        (raw, tail) => {
          const text = Buffer.from(raw).toString("base64");
          const zero = raw.every((byte) => byte === 0);
          expect(asPublicKey(text)).toBe(zero ? null : text);
          const other = `${text.slice(0, 42)}${tail}=`;
          if (asPublicKey(other) !== null) expect(bytesOf(other).toString("base64")).toBe(other);
        },
      ),
    );
  });
});

function hasWg(): boolean {
  try {
    execFileSync("wg", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
