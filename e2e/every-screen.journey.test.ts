import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";
import { type Look, lookAnew, makeSeats, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import { actionsOutOfReach, fetchAxe, findings } from "./seen.ts";

/** What every screen and dialog must pass: axe finds nothing and nothing is wider than the window, in every look; rows can be acted on. */
let club: SampleClub;
let browser: Browser;
let seated: ReturnType<typeof makeSeats>;
beforeAll(async () => {
  [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
  seated = makeSeats(browser, club.url, await signInEveryone(club));
});
afterAll(async () => {
  await browser?.close();
  await club?.remove();
});

/**
 * Pairs each theme, language and size with each value of the others once. That covers anything that depends on two of them
 * (a colour in a theme on a phone, a long word in a language on a phone) with half the looks.
 */
const LOOKS: Look[] = [
  { language: "ru", size: "desktop", theme: "dark" },
  { language: "ru", size: "phone", theme: "light" },
  { language: "en", size: "phone", theme: "dark" },
  { language: "en", size: "desktop", theme: "light" },
];

test.concurrent.each(screens)("$name", { timeout: 120_000 }, async (screen) => {
  const looks = LOOKS.filter(({ size }) => sizesOf(screen).includes(size));
  const [first] = looks;
  if (!first) throw new Error("a screen without a size");
  const found: Record<string, string[]> = {};
  const structured = new Set<Look["size"]>();
  await seated(screen, first.size, async (page) => {
    await fetchAxe(page);
    for (const look of looks) {
      await lookAnew(page, look);
      // One size has one structure, whatever its colours and words.
      const here = await findings(page, structured.has(look.size) ? "colours" : "all");
      structured.add(look.size);
      if (here.length > 0) found[Object.values(look).join(", ")] = here;
    }
    const outOfReach = first.size === "desktop" ? await actionsOutOfReach(page) : [];
    if (outOfReach.length > 0) found["rows' actions"] = outOfReach;
  });
  expect(found).toEqual({});
});
