import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeFolding } from "./fold-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin() {
  const log = { pages: 0, folds: 0 };
  const folding = makeFolding({
    pages: () => log.pages,
    fold: async () => {
      log.folds += 1;
    },
  });
  const write = async (pages: number, thenMs = 0) => {
    log.pages = pages;
    folding.written();
    await vi.advanceTimersByTimeAsync(thenMs);
    return log.folds;
  };
  return { write };
}

test("a long log is copied once nobody has written for half a second, and not while writes follow each other", async () => {
  const { write } = begin();
  expect(await write(900, 10_000)).toBe(0);
  for (let pages = 1_000; pages < 7_000; pages += 1_000) expect(await write(pages, 400)).toBe(0);
  expect(await write(7_000, 500)).toBe(1);
});

test("a log of 32 MB is copied although writes go on", async () => {
  const { write } = begin();
  expect(await write(7_999, 1)).toBe(0);
  expect(await write(8_000, 1)).toBe(1);
});

test("what was copied is not copied again, and a log that begins anew counts from zero", async () => {
  const { write } = begin();
  expect(await write(1_000, 500)).toBe(1);
  expect(await write(1_900, 500)).toBe(1);
  expect(await write(50, 500)).toBe(1);
  expect(await write(1_000, 500)).toBe(2);
});
