import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Refusal } from "../refusal.ts";
import { readBytes } from "./read-body.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

/** Sends a body at `bytesPerSecond` for `seconds`, and returns the result. */
async function comes(bytesPerSecond: number, seconds: number, hasPlace = true) {
  const payload = new PassThrough();
  const end = vi.fn();
  const body = readBytes(payload, { most: 10_000_000, hasPlace }).then(
    (whole) => end(whole.length),
    (refusal: Refusal) => end(refusal.code),
  );
  for (let second = 0; second < seconds; second++) {
    payload.write(Buffer.alloc(bytesPerSecond));
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(1000);
  }
  return { payload, body, end };
}

test("a body that others wait for is cut off if it trickles, but not if its sender is merely slow", async () => {
  expect((await comes(100, 11)).end).toHaveBeenCalledExactlyOnceWith("request.too_slow");
  const slow = await comes(10_000, 30);
  expect(slow.end).not.toHaveBeenCalled();
  slow.payload.end();
  await slow.body;
  expect(slow.end).toHaveBeenCalledExactlyOnceWith(300_000);
});

test("a body that nobody waits for may take its time", async () => {
  expect((await comes(1, 30, false)).end).not.toHaveBeenCalled();
});

test("a sender who leaves midway has sent nothing readable", async () => {
  const { payload, body, end } = await comes(10_000, 1);
  payload.destroy();
  await body;
  expect(end).toHaveBeenCalledExactlyOnceWith("request.malformed");
});

test("an oversized body is read up to twice its limit, so its sender learns why", async () => {
  const [little, much] = [new PassThrough(), new PassThrough()];
  const read = (payload: PassThrough) => readBytes(payload, { most: 100, hasPlace: false });
  const refused = { code: "request.too_large" };
  little.end(Buffer.alloc(150));
  await expect(read(little)).rejects.toMatchObject(refused);
  much.write(Buffer.alloc(250));
  await expect(read(much)).rejects.toMatchObject(refused);
});
