import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./browser.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";

/** Of the file that runs: what `openClub` opened. */
export let club: SampleClub;
export let browser: Browser;

/** Call once at the top of a file of tests: a sample club and a browser for all of them. */
export function openClub(): void {
  beforeAll(async () => {
    [club, browser] = await Promise.all([startSampleClub(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await club?.remove();
  });
}
