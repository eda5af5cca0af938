import { expect, onTestFinished, test, vi } from "vitest";
import { startClub } from "../../../../testing/start-club.ts";
import { reconcileServer } from "../servers/index.ts";

test("of several panels one begins each minute's round, and another once that one is gone", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const other = await club.otherPanel();
  onTestFinished(() => other.stop());
  const rounds = [club.app, other.app].map(({ doScheduled, parts: { jobs } }) => {
    const enqueued = vi.spyOn(jobs, "enqueue");
    return async () => {
      enqueued.mockClear();
      await doScheduled();
      return enqueued.mock.calls.filter(([, kind]) => kind.name === reconcileServer.name).length;
    };
  });
  const [first, second] = rounds as [() => Promise<number>, () => Promise<number>];
  expect([await first(), await second()]).toEqual([1, 0]);
  club.clock.advance(60_000);
  expect(await second()).toBe(1);
});
