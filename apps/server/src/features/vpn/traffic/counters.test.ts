import { expect, test } from "vitest";
import { bytesSince, laterHandshake } from "./counters.ts";

const before = { publicKey: "key", life: "first", rawRx: 100, rawTx: 1_000 };
const reading = (change: object) => ({
  configId: "config",
  publicKey: "key",
  life: "first",
  rxBytes: 150,
  txBytes: 1_500,
  lastHandshakeAt: null,
  ...change,
});

test.each([
  ["the same counters", {}, {}, { rx: 50, tx: 500 }],
  ["counters of another life, however high they are", {}, { life: "second" }, { rx: 150, tx: 1_500 }],
  ["another key's", {}, { publicKey: "other" }, { rx: 150, tx: 1_500 }],
  ["smaller ones", {}, { rxBytes: 99 }, { rx: 99, tx: 1_500 }],
  ["those of a life that nobody knew", { life: null }, {}, { rx: 50, tx: 500 }],
  ["those of a life that nobody knows", {}, { life: null }, { rx: 50, tx: 500 }],
])("bytes since the last reading, with %s", (_, baseline, now, bytes) => {
  expect(bytesSince({ ...before, ...baseline }, reading(now))).toEqual(bytes);
});

const NOW = 1_000_000_000;
const AHEAD = NOW + 21 * 86_400_000;

test.each([
  ["the first one", null, NOW - 5, false, NOW - 5],
  ["the later one", NOW - 50, NOW - 5, false, NOW - 5],
  ["the known one, where an interface was recreated", NOW - 50, null, false, NOW - 50],
  ["one a little ahead, as clocks differ", NOW - 50, NOW + 5, false, NOW + 5],
  ["none, where the server's clock is ahead and nothing was used", null, AHEAD, false, null],
  ["the known one, where the server's clock is ahead and nothing was used", NOW - 50, AHEAD, false, NOW - 50],
  ["now, where the server's clock is ahead and bytes passed", NOW - 50, AHEAD, true, NOW],
  ["an honest one instead of one recorded under a wrong clock", AHEAD, NOW - 5, false, NOW - 5],
  ["the known one, as long as there is nothing better", AHEAD, null, false, AHEAD],
])("the last handshake is %s", (_, known, read, isUsed, expected) => {
  expect(laterHandshake(known, read, { now: NOW, isUsed })).toBe(expected);
});
