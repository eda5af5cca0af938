import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeInitiator } from "./handshake.ts";
import type { PrivateKey } from "./key-text.ts";
import { publicKeyOf } from "./keys.ts";

beforeEach(() => {
  vi.spyOn(crypto, "randomBytes").mockImplementation((length: number) => Buffer.alloc(length, length));
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString("base64") as PrivateKey;

/** With keys of one repeated byte each, recorded before AmneziaWG was added. */
const INITIATION = [
  "010000000404040406453fcd9cef5a1f53acc4f942104c0c8e9e27d5c7b37f5507cdcd1628105963e2fdb57284ee5a0a1290a98e034014aa7aad",
  "bc9f37d1b2f2591a64c7e12e3c0e3bcca01e6828b82e0a496824c6a98e24434d4be6c40ebe5b5b78a569a910c075b67c25293c58e5fa9e8c1194",
  "9ef02450c605cc2d6f6abcb82ebf144400000000000000000000000000000000",
].join("");

test.each([undefined, {}])("an initiation of plain WireGuard is byte for byte the same (profile: %s)", (profile) => {
  const keys = { privateKey: keyOf(64), interfaceKey: publicKeyOf(keyOf(8)), profile };
  const datagrams = makeInitiator(keys).initiate(Date.parse("2026-11-22T09:00:00.123Z"));
  expect(datagrams.map((datagram) => Buffer.from(datagram).toString("hex"))).toEqual([INITIATION]);
});
