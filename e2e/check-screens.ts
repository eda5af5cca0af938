import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { browser, club, openClub } from "./club-in-browser.ts";
import { type Look, lookAnew, makeSeats, screens, signInEveryone, sizesOf } from "./screens/all.ts";
import type { Screen } from "./screens/stage.ts";
import {
  actionsOutOfReach,
  fetchAxe,
  findings,
  tooWide,
  tooWideWithLargeLetters,
  unreadableWithLargeLetters,
  wordsBroken,
} from "./seen.ts";

export interface Check extends Look {
  /** "width": only whether it fits the window. "letters": whether large letters are readable in the narrowest one,
   * "narrow": whether they at least fit it. "words": whether each stays whole in a narrow window on a desk. */
  of: keyof typeof LOOKED_AT;
}

const LOOKED_AT = {
  all: findings,
  width: tooWide,
  letters: unreadableWithLargeLetters,
  narrow: tooWideWithLargeLetters,
  words: wordsBroken,
};

const isOfStaff = ({ who }: Screen) => who === "admin" || who === "moderator";
const onPhone = (screen: Screen, look: Omit<Look, "size">, of: Check["of"]): Check[] =>
  sizesOf(screen).includes("phone") ? [{ ...look, size: "phone", of }] : [];

/** For a member's screen, with large letters on a phone. Comes last, because it changes the page permanently. */
export const withLargeLetters = (screen: Screen, look: Omit<Look, "size">): Check[] =>
  isOfStaff(screen) ? [] : onPhone(screen, look, "letters");
/** The same for a staff screen, which only has to fit. */
export const staffWithLargeLetters = (screen: Screen, look: Omit<Look, "size">): Check[] =>
  isOfStaff(screen) ? onPhone(screen, look, "narrow") : [];

/** A staff screen, whose columns are narrow on a small desk. Comes after what is looked at in the usual size. */
export const staffWords = (screen: Screen, look: Omit<Look, "size">): Check[] =>
  isOfStaff(screen) && sizesOf(screen).includes("desktop") ? [{ ...look, size: "desktop", of: "words" }] : [];

/** By the classes of their style sheets. */
const componentsOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[class]")].flatMap(({ classList }) =>
      [...classList].filter((name) => name.startsWith("_")),
    ),
  );

/**
 * Declares a test for each screen and dialog: axe finds nothing, nothing is wider than the window, and rows can be acted on.
 * `seen`: told of the components on it.
 */
export function checkScreens(
  checksOf: (screen: Screen, at: number) => readonly Check[],
  chosen: readonly Screen[] = screens,
  seen: (screen: Screen, components: ReadonlySet<string>) => void = () => {},
): void {
  openClub();
  let seated: ReturnType<typeof makeSeats>;
  beforeAll(async () => {
    seated = makeSeats(browser, club.url, await signInEveryone(club));
  });

  test.concurrent.each(chosen.map((screen, at) => ({ ...screen, checks: checksOf(screen, at) })))(
    "$name",
    { timeout: 120_000 },
    async ({ checks, ...screen }) => {
      const [first] = checks;
      if (!first) throw new Error("a screen without a look");
      const found: Record<string, string[]> = {};
      const components = new Set<string>();
      await seated(screen, first.size, async (page) => {
        await fetchAxe(page);
        for (const { of, ...look } of checks) {
          await lookAnew(page, look);
          const here = await LOOKED_AT[of](page);
          if (here.length > 0) found[Object.values(look).join(", ")] = here;
          const outOfReach = look.size === "desktop" ? await actionsOutOfReach(page) : [];
          if (outOfReach.length > 0) found["rows' actions"] = outOfReach;
          for (const name of await componentsOn(page)) components.add(name);
        }
      });
      seen(screen, components);
      expect(found).toEqual({});
    },
  );
}
