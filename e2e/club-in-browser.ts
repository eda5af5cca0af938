import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";

/** For the running test file: what `openClub` opened. */
export let club: SampleClub;
export let browser: Browser;

/** Call once at the top of a test file: opens a sample club and a browser for all its tests. */
export function openClub(): void {
  beforeAll(async () => {
    [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await club?.remove();
  });
}
