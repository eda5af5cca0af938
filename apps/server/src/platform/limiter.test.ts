import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeFairLimiter, makeLimiter, makeTurnsByKey } from "./limiter.ts";

/** Work that ends on command, and how much of it is running. */
function work() {
  const ends: (() => void)[] = [];
  const started: number[] = [];
  return {
    started,
    piece: (number: number) => () => {
      started.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    },
    endOne: async () => {
      ends.shift()?.();
      await nextTurn();
    },
  };
}

test("only so many run at a time, the rest follow in request order, and too many are turned away", async () => {
  const { piece, started, endOne } = work();
  const turns = makeLimiter(2, 3);
  const answers = Array.from({ length: 7 }, (_, number) => turns(piece(number)));
  await nextTurn();
  expect(started).toEqual([0, 1]);
  expect(await Promise.all(answers.slice(5))).toEqual([null, null]);
  await endOne();
  expect(started).toEqual([0, 1, 2]);
  for (let left = 4; left > 0; left--) await endOne();
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(await Promise.all(answers.slice(0, 5))).toEqual([0, 1, 2, 3, 4].map((result) => ({ result })));
});

test("one who asks for much takes turns with others, and cannot fill the whole queue", async () => {
  const { piece, started, endOne } = work();
  const turns = makeFairLimiter(1, { waiting: 5, ofOne: 3 });
  const greedy = [1, 2, 3, 4, 5].map((number) => turns("vera", piece(number)));
  const modest = [turns("anton", piece(10)), turns("oleg", piece(20)), turns("timur", piece(30))];
  await nextTurn();
  expect(started).toEqual([1]);
  expect(await Promise.all([greedy[4], modest[2]])).toEqual([null, null]);
  for (let left = 6; left > 0; left--) await endOne();
  expect(started).toEqual([1, 2, 10, 20, 3, 4]);
  await endOne();
  expect(await turns("timur", () => Promise.resolve("free again"))).toEqual({ result: "free again" });
});

test("failed work passes its place on", async () => {
  const turns = makeLimiter(1);
  const failing = turns(() => Promise.reject(new Error("no")));
  const next = turns(() => Promise.resolve("yes"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toEqual({ result: "yes" });
});

test("work under one key runs in turn, and other keys do not wait for it", async () => {
  const { piece, started, endOne } = work();
  const limited = makeTurnsByKey();
  const failed = limited("a", () => Promise.reject(new Error("no")));
  const all = [limited("a", piece(1)), limited("a", piece(2)), limited("b", piece(3))];
  await expect(failed).rejects.toThrow("no");
  await nextTurn();
  expect(started.toSorted()).toEqual([1, 3]);
  for (let left = 3; left > 0; left--) await endOne();
  expect(await Promise.all(all)).toEqual([1, 2, 3]);
});
