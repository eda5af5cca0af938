import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeRetry } from "./conflict.ts";

test("however many writers want the same rows at once, each is served exactly once", async () => {
  const retry = makeRetry();
  const done: number[] = [];
  let running = 0;
  const write = async (writer: number) => {
    let undone = running++ > 0;
    try {
      await wait(20);
      undone ||= running > 1;
    } finally {
      running--;
    }
    if (undone) throw Object.assign(new Error("could not serialize access"), { code: "40001" });
    done.push(writer);
  };
  const writers = Array.from({ length: 16 }, (_, at) => at);
  await Promise.all(writers.map((writer) => retry(() => write(writer))));
  expect(done.toSorted((a, b) => a - b)).toEqual(writers);
});
