import type { Page } from "playwright-core";

const MOST_TABS = 60;

/** The focused element, by its label or text. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const here = document.activeElement as (HTMLElement & { labels?: NodeListOf<HTMLLabelElement> }) | null;
    return here?.getAttribute("aria-label") ?? here?.labels?.[0]?.textContent ?? here?.textContent ?? "";
  });

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, name: string | RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const isThere = (label: string) => (typeof name === "string" ? label === name : name.test(label));
  const met: string[] = [];
  for (let n = 0; n < MOST_TABS; n++) {
    const label = (await focused(page)).replaceAll(/\s+/g, " ").trim();
    if (isThere(label)) return;
    met.push(label.slice(0, 40));
    await page.keyboard.press(key);
    // A timer checks whether Tab has left a date's fields of a dialog. Nobody types faster than that.
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
  }
  throw new Error(`${name} is not reached by ${key}: ${met.join(" | ")}`);
}
