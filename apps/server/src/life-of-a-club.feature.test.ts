import { expect, test } from "vitest";
import { endTogether } from "../testing/end-together.ts";
import { liveClub } from "../testing/life-of-a-club.ts";
import { clubWithBot } from "../testing/link-telegram.ts";

/* A year of 1,000 members, and 10,000 subscriptions that end together, are in lab/life-of-a-club.soak.test.ts. */

test("500 subscriptions that end in one second are off the wire and back on it, the page answers, and Telegram never has to slow the bot down", async () => {
  const { club, telegram } = await clubWithBot();
  const seen = await endTogether(club, telegram, { members: 500, linked: 60 });
  expect(seen.answered).toBeGreaterThan(5);
  expect(seen.tooFast).toBe(0);
});

test.each([
  { zone: "Europe/Moscow", seed: 5, graceHours: 0, startsInDays: 0 },
  // Until after the night in March when its clock goes forward.
  { zone: "Europe/Berlin", seed: 9, graceHours: 5, startsInDays: 112 },
])("a month of a club in $zone matches an independent model several times a day", async (of) => {
  const { zone, seed, graceHours, startsInDays } = of;
  const { club, telegram } = await clubWithBot({ CLUB_TIME_ZONE: zone });
  club.clock.advance(startsInDays * 86_400_000);
  const wish = { seed, days: 30, members: 40, acts: 3, linked: 12, graceHours };
  const { looks, happened, told, sent } = await liveClub(club, telegram, wish);
  expect(looks).toBe(120);
  expect(sent).toBeGreaterThan(wish.linked);
  for (const what of [
    "pay",
    "prepay",
    "overdue",
    "waive",
    "extend",
    "extendForMoney",
    "undo",
    "block",
    "join",
    "leave",
    "makeDevice",
    "useDevice",
  ])
    expect(happened[what], what).toBeGreaterThan(0);
  // In Berlin's month nobody's friends run out: they have paid ahead.
  const ofFriends = zone === "Europe/Moscow" ? ["referral_ends", "referral_ended"] : [];
  for (const kind of ["subscription_ends", "subscription_ended", "payment_taken_back", ...ofFriends])
    expect(told[kind], kind).toBeGreaterThan(0);
});
