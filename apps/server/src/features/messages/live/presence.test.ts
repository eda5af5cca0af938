import { expect, test, vi } from "vitest";
import { makePresence, SAID_EVERY_MS } from "./presence.ts";

const db = { getExecutor: () => ({ adapter: null }) };

/** A panel that gets the others' messages through `hear`; their transport is tested with a database. */
function panel() {
  const heard = new Map<string, (ids: readonly string[]) => unknown>();
  let gap = () => {};
  let at = 0;
  const presence = makePresence({
    db: db as never,
    transact: vi.fn() as never,
    log: {} as never,
    signals: {
      send: vi.fn(),
      on: (topic, hear) => void heard.set(topic, hear),
      onGap: (hear) => {
        gap = hear as () => void;
      },
    },
    now: () => at,
  });
  return {
    ...presence,
    hear: (topic: string, ...lines: string[]) => heard.get(topic)?.(lines),
    gap: () => gap(),
    wait: (ms: number) => {
      at += ms;
    },
  };
}

test("a member present at another panel stays present until that panel says otherwise", () => {
  const own = panel();
  own.hear("live.presence", "aaaaaa+anna", "bbbbbb+anna", "aaaaaa+boris");
  expect([own.isLooking("anna"), own.isLooking("boris"), own.isLooking("vera")]).toEqual([true, true, false]);
  own.hear("live.presence", "aaaaaa-anna", "aaaaaa-boris", "nonsense");
  expect([own.isLooking("anna"), own.isLooking("boris")]).toEqual([true, false]);
});

test("a panel that is silent for three times its interval has ended, one that sends a sign of life has not", async () => {
  const own = panel();
  own.hear("live.presence", "aaaaaa+anna", "bbbbbb+boris");
  for (let n = 0; n < 4; n++) {
    own.wait(SAID_EVERY_MS);
    own.hear("live.presence.alive", "bbbbbb");
    await own.keepAlive();
  }
  expect([own.isLooking("anna"), own.isLooking("boris")]).toEqual([false, true]);
});

test("after a database outage others' reports are forgotten, and the panel's own pages are still known", () => {
  const own = panel();
  own.opened("vera");
  own.hear("live.presence", "aaaaaa+anna");
  own.gap();
  expect([own.isLooking("anna"), own.isLooking("vera")]).toEqual([false, true]);
  own.closed("vera");
  expect(own.isLooking("vera")).toBe(false);
});
