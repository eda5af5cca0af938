import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, startClub } from "../../../../testing/start-club.ts";

import { memberChanged } from "../../members/members/index.ts";
import { configsChanged } from "./events.ts";

const DAY_MS = 86_400_000;
let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

test("many subscriptions that end at once are told to staff's pages as one change", async () => {
  const ending = await Promise.all(Array.from({ length: 8 }, () => club.member()));
  for (const member of ending)
    await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) });
  await club.settle();
  const asked = vi.spyOn(club.app.parts.members, "vipAmong");
  club.clock.advance(31 * DAY_MS);
  await club.app.parts.configs.cutEnded();
  await club.settle();
  expect(club.host.peers()).toEqual([]);
  expect(asked.mock.calls.map(([, ids]) => [...ids].sort())).toEqual([ending.map(({ id }) => id).sort()]);
});

test("a member's page is told of the end, and not again once the server has cut their devices off", async () => {
  const boris = await club.member({ row: { subscription_end: club.clock.now().getTime() + 1_000 } });
  await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) });
  await club.settle();
  const told: string[] = [];
  const { events } = club.app.parts;
  events.on(memberChanged, async (_, { memberId }) => void told.push(`account ${memberId}`));
  events.on(configsChanged, async (_, { memberIds }) => void told.push(...memberIds.map((id) => `configs ${id}`)));
  club.clock.advance(1_000);
  await club.app.parts.configs.cutEnded();
  await club.settle();
  expect(club.host.peers()).toEqual([]);
  expect(told).toEqual([`account ${boris.id}`]);
  const [card] = (await club.as(boris).call("GET /vpn/configs")).body;
  expect(card?.state).toBe("off");
});
