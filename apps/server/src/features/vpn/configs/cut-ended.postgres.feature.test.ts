import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { LEASE_MS } from "./cut-ended.ts";
import { type ApplyConfigs, applyConfigs } from "./wire-jobs.ts";

const MINUTE_MS = 60_000;
let club: Club;
let other: Awaited<ReturnType<Club["otherPanel"]>>;
beforeAll(async () => {
  club = await startClub();
  other = await club.otherPanel();
});
afterAll(async () => {
  await other.stop();
  await club.stop();
});

test("of several panels one cuts off what has ended; the next continues where that one stopped", async () => {
  const panels = [club.app, other.app];
  const cut = panels.map(({ parts }) => {
    const enqueued = vi.spyOn(parts.jobs, "enqueue");
    return () => {
      const calls = enqueued.mock.calls.filter(([, kind]) => kind.name === applyConfigs.name);
      enqueued.mockClear();
      return calls.flatMap(([, , { payload }]) => (payload as ApplyConfigs).configIds);
    };
  });
  const endingAfter = async (ms: number): Promise<[Person, string]> => {
    const member = await club.member({ row: { subscription_end: club.clock.now().getTime() + ms } });
    const { body } = await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) });
    return [member, body.id];
  };
  const [, anna] = await endingAfter(MINUTE_MS);
  const [, boris] = await endingAfter(3 * MINUTE_MS);
  await club.settle();
  for (const taken of cut) taken();
  const look = async () => {
    for (const { doScheduled } of panels) await doScheduled();
    return cut.map((taken) => taken());
  };

  club.clock.advance(MINUTE_MS + 1);
  expect(await look()).toEqual([[anna], []]);
  club.clock.advance(MINUTE_MS);
  expect(await look()).toEqual([[], []]);

  // It is gone, and its lease ends.
  panels.shift();
  cut.shift();
  club.clock.advance(MINUTE_MS);
  expect(LEASE_MS).toBeLessThan(MINUTE_MS);
  expect(await look()).toEqual([[boris]]);
});
