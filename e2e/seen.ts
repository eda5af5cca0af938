import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A screen as it stands now has nothing that axe objects to, and is not wider than the window. */
export async function seen(page: Page, what: string): Promise<void> {
  // Transitions are over when colours are measured.
  await page.waitForTimeout(400);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect([what, violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target}`)]).toEqual([what, []]);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect([what, overflow]).toEqual([what, 0]);
}
