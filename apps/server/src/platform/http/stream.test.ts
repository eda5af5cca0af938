import { expect, test } from "vitest";
import { reconnectAfterMs } from "./stream.ts";

test("pages reconnect over a time that grows with their number, to half a minute", () => {
  const latest = (open: number) => reconnectAfterMs(open, () => 1);
  expect([0, 10, 3_000, 100_000].map(latest)).toEqual([2_000, 2_020, 8_000, 32_000]);
  expect(reconnectAfterMs(3_000, () => 0)).toBe(2_000);
});
