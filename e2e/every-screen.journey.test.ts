import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "./browser.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";
import { type Language, type Look, openScreen, SIZES, screens, signInEveryone, sizesOf } from "./screens.ts";
import { findings } from "./seen.ts";

/** What each screen and dialog must stand: axe finds nothing and nothing is wider than the window, however it is looked at. */
let club: SampleClub;
let browser: Browser;
let tokenOf: Awaited<ReturnType<typeof signInEveryone>>;
beforeAll(async () => {
  [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
  tokenOf = await signInEveryone(club);
});
afterAll(async () => {
  await browser?.close();
  await club?.remove();
});

/** The rules that depend on the theme; all others see the same page in either. */
const COLOURS = ["color-contrast"];

test.concurrent.each(
  screens.flatMap((screen) => (["ru", "en"] as const).map((language) => [screen.name, language] as [string, Language])),
)("%s (%s)", { timeout: 120_000 }, async (name, language) => {
  const screen = screens.find((candidate) => candidate.name === name);
  if (!screen) throw new Error(`no screen ${name}`);
  const [size = "desktop", ...others] = sizesOf(screen);
  const look: Look = { size, theme: "dark", language };
  const page = await openScreen(browser, { screen, look, url: club.url, token: tokenOf(screen.who) });
  const found: Record<string, string[]> = {};
  for (const size of [look.size, ...others]) {
    await page.setViewportSize(SIZES[size]);
    // Transitions are over when colours are measured, and what a size asks for is there.
    await page.waitForTimeout(300);
    for (const theme of ["dark", "light"] as const) {
      await page.evaluate((shown) => document.documentElement.setAttribute("data-mantine-color-scheme", shown), theme);
      const here = await findings(page, theme === "dark" ? undefined : COLOURS);
      if (here.length > 0) found[`${size}, ${theme}`] = here;
    }
  }
  await page.context().close();
  expect(found).toEqual({});
});
