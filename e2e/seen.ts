import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** A screen as it stands now has nothing that axe objects to, and is not wider than the window. */
export async function seen(page: Page, what: string): Promise<void> {
  // Transitions are over when colours are measured.
  await page.waitForTimeout(400);
  expect([what, await findings(page)]).toEqual([what, []]);
}

/** All that speaks against a screen as it stands now. */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"], preload: false });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`),
      ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px wider than the window`] : []),
    ];
  });
}
