import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Missing from axe's types. */
interface Color extends Record<"r" | "g" | "b" | "alpha", number> {
  parseString(text: string): this;
}

declare global {
  interface Window {
    axe: typeof axe & { commons: { color: { Color: { new (of: Color): Color; prototype: Color } } } };
  }
}

/** Rules that depend on the theme: everything else axe checks is the same in both. */
const COLOURS = ["color-contrast"];

/** Expects that axe finds nothing on the current screen and that it is not wider than the window. */
export async function seen(page: Page, what: string): Promise<void> {
  await atRest(page);
  expect([what, await findings(page)]).toEqual([what, []]);
}

/** Waits until everything this size requests has loaded and transitions have ended, because colours are measured. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForTimeout(300);
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  });
}

/** All findings on the current screen; `of`: "colours" skips what was checked in another theme. */
export async function findings(page: Page, of: "all" | "colours" = "all"): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
    await page.evaluate(rememberColours);
  }
  return page.evaluate(
    async (only) => {
      // What lies under a modal dialog is a screen of its own, checked there.
      const isCovered = document.querySelector('[aria-modal="true"]')?.checkVisibility() ?? false;
      const { violations } = await window.axe.run(isCovered ? { exclude: ["#root"] } : document, {
        resultTypes: ["violations"],
        preload: false,
        ...(only ? { runOnly: { type: "rule", values: only } } : {}),
      });
      const { scrollWidth, clientWidth } = document.documentElement;
      return [
        ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`),
        ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px wider than the window`] : []),
      ];
    },
    of === "colours" ? COLOURS : null,
  );
}

/** axe parses the same few colours again for each element, which takes half of its contrast time. */
function rememberColours() {
  const { Color } = window.axe.commons.color;
  const parse = Color.prototype.parseString;
  const parsed = new Map<string, Color>();
  Color.prototype.parseString = function (text) {
    const known = parsed.get(text);
    if (known) Object.assign(this, { r: known.r, g: known.g, b: known.b, alpha: known.alpha });
    else {
      parse.call(this, text);
      parsed.set(text, new Color(this));
    }
    return this;
  };
}
