import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";
import { type Look, lookAnew, makeSeats, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import type { Screen } from "./screens/stage.ts";
import { actionsOutOfReach, fetchAxe, findings, tooWide, unreadableWithLargeLetters } from "./seen.ts";

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
  /**
   * "width": only whether it fits the window. axe has passed this size's structure, and the same classes have these colours
   * elsewhere. "letters": of a member's screen, whether large letters can be read in the narrowest window, which is stricter.
   */
  of: "all" | "width" | "letters";
}

/**
 * Each screen passes axe once in each size, theme and language, and fits a phone in both languages, where long words meet
 * narrow columns. A screen comes in Russian and dark, so its first look costs nothing. Neighbours begin in different sizes,
 * because they share components: each is then painted in both themes on both.
 */
const checksInBoth = (first: Look["size"], narrow: "width" | "letters"): Check[] =>
  first === "desktop"
    ? [
        { language: "ru", size: "desktop", theme: "dark", of: "all" },
        { language: "en", size: "phone", theme: "light", of: "all" },
        { language: "ru", size: "phone", theme: "light", of: narrow },
      ]
    : [
        { language: "ru", size: "phone", theme: "dark", of: "all" },
        { language: "en", size: "desktop", theme: "light", of: "all" },
        // Last: it changes the page for good.
        { language: "en", size: "phone", theme: "dark", of: narrow },
      ];
/** A screen of one size has nothing to share its themes and languages with. */
const checksInOne = (size: Look["size"], narrow: "width" | "letters"): Check[] => [
  { language: "ru", size, theme: "dark", of: "all" },
  { language: "en", size, theme: "light", of: "all" },
  ...(size === "phone" && narrow === "letters" ? [{ language: "ru", size, theme: "light", of: narrow } as const] : []),
];

const checksOf = (screen: Screen, at: number): Check[] => {
  const [size = "desktop", other] = sizesOf(screen);
  const narrow = screen.who === "admin" || screen.who === "moderator" ? "width" : "letters";
  return other === undefined ? checksInOne(size, narrow) : checksInBoth(at % 2 === 0 ? "desktop" : "phone", narrow);
};

const LOOKED_AT = { all: findings, width: tooWide, letters: unreadableWithLargeLetters };

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
        const here = await LOOKED_AT[of](page);
        if (here.length > 0) found[Object.values(look).join(", ")] = here;
        const outOfReach = look.size === "desktop" ? await actionsOutOfReach(page) : [];
        if (outOfReach.length > 0) found["rows' actions"] = outOfReach;
      }
    });
    expect(found).toEqual({});
  },
);
