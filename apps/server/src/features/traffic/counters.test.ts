import { expect, test } from "vitest";
import { bytesSince } from "./counters.ts";

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
])("what has passed since the last reading, by %s", (_, baseline, now, bytes) => {
  expect(bytesSince({ ...before, ...baseline }, reading(now))).toEqual(bytes);
});
