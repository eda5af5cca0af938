import { expect, test, vi } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { panel } from "../testing/panel.ts";
import { watchConnection } from "./connection.ts";

screens();

test("a silent panel is called three times; a closed page calls no more", async () => {
  vi.useFakeTimers();
  try {
    const { heard } = panel({ "GET /health": "silence" });
    const stop = watchConnection();
    await vi.advanceTimersByTimeAsync(100);
    expect(heard).toHaveLength(1);
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(heard).toHaveLength(1);
    const stopAgain = watchConnection();
    await vi.advanceTimersByTimeAsync(7_000);
    stopAgain();
    expect(heard.length).toBeGreaterThanOrEqual(4);
  } finally {
    vi.useRealTimers();
  }
});
