import { renderHook } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useNow } from "./use-now.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test("after a pause the first drawing uses the present: a countdown never shows more time than is left", () => {
  const drawn: number[] = [];
  const { rerender } = renderHook(
    ({ running }) => {
      const now = useNow(250, running);
      useLayoutEffect(() => void drawn.push(now));
    },
    { initialProps: { running: false } },
  );
  vi.setSystemTime(90_000);
  rerender({ running: true });
  expect(drawn).toEqual([0, 90_000]);
});
