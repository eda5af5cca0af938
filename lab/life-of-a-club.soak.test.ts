import { expect, test } from "vitest";
import { endTogether } from "../apps/server/testing/end-together.ts";
import { liveClub } from "../apps/server/testing/life-of-a-club.ts";
import { clubWithBot } from "../apps/server/testing/link-telegram.ts";

test("10,000 subscriptions that end in one second are off the wire within 10 s, and back as fast after renewal, while the page answers", async () => {
  const { club, telegram } = await clubWithBot({ CLUB_TIME_ZONE: "Europe/Berlin" });
  const seen = await endTogether(club, telegram, { members: 10_000, linked: 1_000 });
  console.info(`10,000 ends: ${JSON.stringify(seen)}`);
  expect(seen.cutMs).toBeLessThan(10_000);
  expect(seen.longestMs).toBeLessThan(5_000);
  expect(seen.restoreMs).toBeLessThan(10_000);
  expect(seen.tooFast).toBe(0);
}, 600_000);

/** SOAK_MEMBERS: fewer, for a machine with little time. */
const MEMBERS = Number(process.env.SOAK_MEMBERS ?? 1_000);

test(`during a year of a club that starts with ${MEMBERS} members its state equals an independent model's, several times a day`, async () => {
  const { club, telegram } = await clubWithBot({ CLUB_TIME_ZONE: "Europe/Berlin" });
  // Room for all devices.
  const admin = club.as(await club.admin({ username: "founder", row: { is_unlimited: 1 } }));
  const [place] = (await admin.call("GET /admin/servers/interfaces")).body;
  await admin.call("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
    params: { serverId: place?.serverId ?? "", id: place?.id ?? "" },
    body: { subnet: "10.64.0.0/18" },
  });
  const began = performance.now();
  const life = { seed: 20_261_121, days: 365, members: MEMBERS, acts: 6, linked: 60, graceHours: 3, withRarer: true };
  const { looks, happened, told, sent } = await liveClub(club, telegram, life);
  expect(looks).toBe(365 * 4);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.info(`a year in ${seconds} s: ${looks} looks, ${sent} messages, ${JSON.stringify({ ...happened, ...told })}`);
}, 3_600_000);
