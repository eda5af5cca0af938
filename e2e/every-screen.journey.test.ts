import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";
import { type Look, lookAnew, makeSeats, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import type { Screen } from "./screens/stage.ts";
import { actionsOutOfReach, fetchAxe, findings, tooWide } from "./seen.ts";

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

interface Check extends Look {
  /** "width": only whether it fits the window. axe has passed this size's structure, and the same classes have these colours elsewhere. */
  of: "all" | "width";
}

/**
 * Each screen passes axe once in each size, theme and language, and fits a phone in both languages, where long words meet
 * narrow columns. A screen comes in Russian and dark, so its first look costs nothing. Neighbours begin in different sizes,
 * because they share components: each is then painted in both themes on both.
 */
const CHECKS: Record<Look["size"], Check[]> = {
  desktop: [
    { language: "ru", size: "desktop", theme: "dark", of: "all" },
    { language: "en", size: "phone", theme: "light", of: "all" },
    { language: "ru", size: "phone", theme: "light", of: "width" },
  ],
  phone: [
    { language: "ru", size: "phone", theme: "dark", of: "all" },
    { language: "en", size: "phone", theme: "dark", of: "width" },
    { language: "en", size: "desktop", theme: "light", of: "all" },
  ],
};
/** A screen of one size has nothing to share its themes and languages with. */
const inOneSize = (size: Look["size"]): Check[] => [
  { language: "ru", size, theme: "dark", of: "all" },
  { language: "en", size, theme: "light", of: "all" },
];

const checksOf = (screen: Screen, at: number): Check[] => {
  const [size = "desktop", other] = sizesOf(screen);
  return other === undefined ? inOneSize(size) : CHECKS[at % 2 === 0 ? "desktop" : "phone"];
};

test.concurrent.each(screens.map((screen, at) => ({ ...screen, checks: checksOf(screen, at) })))(
  "$name",
  { timeout: 120_000 },
  async ({ checks, ...screen }) => {
    const [first] = checks;
    if (!first) throw new Error("a screen without a look");
    const found: Record<string, string[]> = {};
    await seated(screen, first.size, async (page) => {
      await fetchAxe(page);
      for (const { of, ...look } of checks) {
        await lookAnew(page, look);
        const here = of === "all" ? await findings(page) : await tooWide(page);
        if (here.length > 0) found[Object.values(look).join(", ")] = here;
        const outOfReach = look.size === "desktop" ? await actionsOutOfReach(page) : [];
        if (outOfReach.length > 0) found["rows' actions"] = outOfReach;
      }
    });
    expect(found).toEqual({});
  },
);
