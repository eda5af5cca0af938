import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A screen as it stands now has nothing that axe objects to, and is not wider than the window. */
export async function seen(page: Page, what: string): Promise<void> {
  // Transitions are over when colours are measured.
  await page.waitForTimeout(400);
  expect([what, await findings(page)]).toEqual([what, []]);
}

/** All that speaks against a screen as it stands now. `rules`: of axe's rules these alone. */
export async function findings(page: Page, rules?: string[]): Promise<string[]> {
  // Our pages have no frames, so axe runs in the page alone, which takes a quarter of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"], preload: false });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`),
    ...(wider > 0 ? [`${wider} px wider than the window`] : []),
  ];
}
