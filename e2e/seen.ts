import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { App } from "../apps/server/src/app.ts";

/** Missing from axe's types. */
interface Color extends Record<"r" | "g" | "b" | "alpha", number> {
  parseString(text: string): this;
}
interface CheckHelper {
  data(about: { contrastRatio?: number }): void;
}
/** `run`: one object for a whole run of axe. */
interface Contrast {
  rule: { id: string; matches(element: Element, virtual: object, run: object): boolean };
  check: { evaluate(this: CheckHelper, element: Element, options: object, virtual: object, run: object): unknown };
}

declare global {
  interface Window {
    axe: typeof axe & {
      commons: { color: { Color: { new (of: Color): Color; prototype: Color } } };
      _audit: { rules: Contrast["rule"][]; checks: { "color-contrast": Contrast["check"] } };
    };
  }
}

/** Half the size of the text that the package exports. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const AXE_PATH = "/axe.js";

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

async function bringAxe(page: Page, load: () => Promise<unknown>): Promise<void> {
  if (await page.evaluate(() => "axe" in window)) return;
  await load();
  await page.evaluate(rememberColours);
  await page.evaluate(judgeEachPaintOnce);
}

/** Makes a page of a panel with `serveAxe` fetch axe, at half the cost of sending it as text. */
export const fetchAxe = (page: Page): Promise<void> => bringAxe(page, () => page.addScriptTag({ url: AXE_PATH }));

/** Call before the panel listens. */
export function serveAxe(server: App["server"]): void {
  server.get(AXE_PATH, (_request, reply) =>
    reply.header("cache-control", "max-age=3600").type("text/javascript").send(AXE),
  );
}

/** All findings on the current screen. */
export async function findings(page: Page): Promise<string[]> {
  await bringAxe(page, () => page.evaluate(AXE));
  const violations = await page.evaluate(async () => {
    // What is under a modal dialog is a separate screen, checked there.
    const isCovered = document.querySelector('[aria-modal="true"]')?.checkVisibility() ?? false;
    const found = await window.axe.run(isCovered ? { exclude: ["#root"] } : document, {
      resultTypes: ["violations"],
      preload: false,
    });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  });
  return [
    ...violations,
    ...(await linksWithoutColour(page)),
    ...(await cutFields(page)),
    ...(await ghostsOffTheEdge(page)),
    ...(await skippedByTab(page)),
    ...(await coveredAtFocus(page)),
    ...(await tooWide(page)),
  ];
}

/** In dialogs the library's Tab skips everything that has `aria-hidden`, whatever its value. */
const skippedByTab = (page: Page): Promise<string[]> =>
  page
    .locator(
      '[aria-modal="true"] :is(a[href], button, input, select, textarea)[aria-hidden]:not([tabindex="-1"]):visible',
    )
    .evaluateAll((all) => all.map((each) => `Tab skips ${each.getAttribute("aria-label") ?? each.outerHTML}`));

/** What lies under the member's buttons at the bottom when Tab, going down the page, brings it into view. */
const coveredAtFocus = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (location.pathname !== "/dashboard" || document.querySelector("[role=dialog]")?.checkVisibility()) return [];
    const { scrollX, scrollY } = window;
    window.scrollTo({ top: 0, behavior: "instant" });
    const found: string[] = [];
    for (const each of document.querySelectorAll<HTMLElement>("main :is(a[href], button, select, textarea)")) {
      if (!each.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || each.closest("[inert]"))
        continue;
      each.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { left, top, width, height } = each.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2)?.closest("a, button");
      if (over && over !== each && !over.contains(each) && !each.contains(over))
        found.push(`${each.ariaLabel ?? each.textContent} is under ${over.ariaLabel ?? over.textContent}`);
    }
    window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
    return found;
  });

export const cutFields = async (page: Page): Promise<string[]> => [
  ...(await cutDates(page)),
  ...(await cutPlaceholders(page)),
];

/** What empty one-line fields ask for, where they are too narrow to say it. */
const cutPlaceholders = (page: Page): Promise<string[]> =>
  page.locator("input:placeholder-shown:visible").evaluateAll((fields) => {
    const pen = document.createElement("canvas").getContext("2d");
    return (fields as HTMLInputElement[]).flatMap(({ placeholder, clientWidth }, index) => {
      const { font, paddingLeft, paddingRight, letterSpacing } = getComputedStyle(fields[index] as Element);
      if (!pen) return [];
      pen.font = font;
      pen.letterSpacing = letterSpacing === "normal" ? "0px" : letterSpacing;
      const room = clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      const missing = Math.ceil(pen.measureText(placeholder).width - room);
      return missing > 1 ? [`${missing} px are cut off: ${placeholder}`] : [];
    });
  });

/** Date fields narrower than their own text and sign. */
const cutDates = (page: Page): Promise<string[]> =>
  page.locator("input[type=date]:visible").evaluateAll((fields) =>
    (fields as HTMLInputElement[]).flatMap((field) => {
      const { style, offsetWidth } = field;
      const before = style.cssText;
      style.minWidth = "0";
      style.width = "max-content";
      const missing = field.offsetWidth - offsetWidth;
      style.cssText = before;
      return missing > 0 ? [`${missing} px of a date are cut`] : [];
    }),
  );

/** Links in the blue that browsers give those without a colour. */
const linksWithoutColour = (page: Page): Promise<string[]> =>
  page.getByRole("link").evaluateAll((links) => {
    const plain = document.body.appendChild(document.createElement("a"));
    plain.href = "/";
    plain.style.all = "revert";
    const { color } = getComputedStyle(plain);
    const found = links.filter((link) => getComputedStyle(link).color === color).map(({ textContent }) => textContent);
    plain.remove();
    return found.map((text) => `a link in the browser's colour: ${text}`);
  });

/** Buttons without a frame whose box, not whose words, stands in line with the text above or below. */
const ghostsOffTheEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const SLACK = 2; // px
    const NEAR = 120; // px
    const modal = document.querySelector('[aria-modal="true"]');
    const root = modal?.checkVisibility() ? modal : document.body;
    const range = document.createRange();
    const seen = (of: Element) => of.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const ghosts = [
      ...root.querySelectorAll<HTMLElement>(
        'button[data-variant="subtle"]:not([data-disabled]), a[data-variant="subtle"]',
      ),
    ].filter((each) => seen(each) && each.textContent?.trim() && getComputedStyle(each).textAlign !== "right");
    const texts: DOMRect[] = [];
    const words = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = words.nextNode(); text; text = words.nextNode()) {
      const of = text.parentElement;
      if (!of || !text.textContent?.trim() || !seen(of) || of.closest("button, style, script, option, [role=button]"))
        continue;
      range.selectNodeContents(text);
      const [box] = range.getClientRects();
      if (box && box.width > 1) texts.push(box);
    }
    return ghosts.flatMap((ghost) => {
      const box = ghost.getBoundingClientRect();
      range.selectNodeContents(ghost);
      const inner = [...ghost.querySelectorAll("svg, .mantine-Button-label")].map(
        (each) => each.getBoundingClientRect().left,
      );
      const left = Math.min(...inner);
      // With a framed button, as a dialog's 'Cancel' is, in columns, or behind something: there the boxes are in line.
      const row = ghost.parentElement;
      const isBehind = [ghost, row, row?.parentElement].some((each) => {
        const before = each?.previousElementSibling?.getBoundingClientRect();
        return before && before.right <= box.left + SLACK && before.top < box.bottom && before.bottom > box.top;
      });
      const isNextTo =
        isBehind ||
        (row !== null && getComputedStyle(row).display === "grid") ||
        row?.querySelector("button:not([data-variant=subtle])") != null;
      if (isNextTo || left - box.left < 4 || left - box.left > 40) return [];
      const others = texts.filter(
        (text) =>
          (text.bottom <= box.top + 8 && box.top - text.bottom < NEAR) ||
          (text.top >= box.bottom - 8 && text.top - box.bottom < NEAR),
      );
      const inLine = others.some((text) => Math.abs(text.left - box.left) < SLACK);
      const aligned = others.some((text) => Math.abs(text.left - left) < SLACK);
      return inLine && !aligned
        ? [`"${ghost.textContent}" stands ${Math.round(left - box.left)} px inside the edge`]
        : [];
    });
  });

/** That the current screen is wider than the window, if it is. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px wider than the window`] : [];
  });

/** Window widths in which staff tables have more columns than room, px. */
const NARROW_WINDOWS = [1280, 1024, 768];

/** Buttons and links that belong to a table's rows, not to their data, and can only be reached by scrolling sideways. */
export async function actionsOutOfReach(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  if (size === null || (await page.locator("main tbody").count()) === 0) return [];
  const found: string[] = [];
  for (const width of NARROW_WINDOWS) {
    await page.setViewportSize({ ...size, width });
    const hidden = await page.locator("main tbody td:last-child button").evaluateAll((buttons) =>
      buttons.flatMap((button) => {
        const { left, right } = button.getBoundingClientRect();
        const frame = button.closest("section")?.getBoundingClientRect();
        const isInside = left >= 0 && right <= Math.min(innerWidth, frame?.right ?? innerWidth);
        return isInside ? [] : [button.getAttribute("aria-label") ?? button.textContent];
      }),
    );
    found.push(...hidden.map((label) => `at ${width} px: ${label}`));
  }
  await page.setViewportSize(size);
  return found;
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

/**
 * Contrast takes half of axe's time, most of it for rows and cells that are painted like the one before. An element passes
 * if another one did on this page, with the same classes and the same paint on it and on everything around it. Elements that
 * fail or stay undecided are checked one by one.
 */
function judgeEachPaintOnce() {
  const { rules, checks } = window.axe._audit;
  const rule = rules.find(({ id }) => id === "color-contrast");
  if (!rule) throw new Error("axe has no rule for contrast");
  const { matches } = rule;
  const { evaluate } = checks["color-contrast"];

  // The rule gives the same result, but only after computing whether the element is visible.
  const hasText = (element: Element) =>
    element.matches("input, select, textarea") ||
    [...element.childNodes].some((child) => child instanceof Text && child.data.trim() !== "");
  rule.matches = (element, virtual, run) => hasText(element) && matches.call(rule, element, virtual, run);

  const numbers = new Map<string, number>();
  const passed = new Set<number>();
  const runs = new WeakMap<object, Map<Element, number>>();
  checks["color-contrast"].evaluate = function (element, options, virtual, run) {
    const paints = runs.get(run) ?? new Map<Element, number>();
    runs.set(run, paints);
    const paintOf = (of: Element | null): number => {
      if (!of) return 0;
      const known = paints.get(of);
      if (known !== undefined) return known;
      const style = getComputedStyle(of);
      const text = [
        ...[paintOf(of.parentElement), of.tagName, of.getAttribute("class"), of.getAttribute("style"), style.color],
        ...[style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode],
        ...[style.fontSize, style.fontWeight, style.textShadow, style.position, style.zIndex],
      ].join("\n");
      const paint = numbers.get(text) ?? numbers.size + 1;
      numbers.set(text, paint);
      paints.set(of, paint);
      return paint;
    };

    const paint = paintOf(element);
    if (passed.has(paint)) return true;
    let isMeasured = false;
    const data: CheckHelper["data"] = (about) => {
      isMeasured = about.contrastRatio !== undefined;
      this.data(about);
    };
    const verdict = evaluate.call({ ...this, data }, element, options, virtual, run);
    if (verdict === true && isMeasured) passed.add(paint);
    return verdict;
  };
}

/** Where staff's columns are narrowest, px. */
const NARROW_DESK = 1024;
/** The longest word of a language here. What is longer is a key or a code, which may break anywhere. */
const LONGEST_WORD = 30;

/** Words that break in the middle in a narrow window on a desk. Leaves the page in it. */
export async function wordsBroken(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: NARROW_DESK, height: 768 });
  await atRest(page);
  return page.evaluate((longest) => {
    const modal = document.querySelector('[aria-modal="true"]');
    const texts = document.createTreeWalker(modal?.checkVisibility() ? modal : document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const found: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const of = text.parentElement;
      if (!of?.checkVisibility() || of.closest("script, style, option, textarea, code, pre, a")) continue;
      range.selectNodeContents(text);
      if (range.getClientRects().length < 2) continue;
      for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[\p{L}\p{N}_]+/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set(
          [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)),
        );
        if (lines.size > 1 && word.length <= longest) found.push(`"${word}" breaks in the middle`);
      }
    }
    return found;
  }, LONGEST_WORD);
}

/** A setting of people's browsers: no letter smaller than this, px. */
const LARGE_LETTERS = 24;
/** The narrowest phone, px. */
const NARROWEST = 320;

/** What can't be read on the narrowest phone with a minimum letter size. Leaves the page in that state. */
export async function unreadableWithLargeLetters(page: Page): Promise<string[]> {
  return [...(await tooWideWithLargeLetters(page)), ...(await unreadable(page))];
}

/** What makes the narrowest phone scroll sideways then. Also leaves the page in that state. */
export async function tooWideWithLargeLetters(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: NARROWEST, height: 740 });
  // Chromium's own setting applies to the whole browser, and would need every screen opened once more.
  await page.evaluate((least) => {
    const small = [...document.querySelectorAll<HTMLElement | SVGElement>("body, body *")].filter(
      (each) => Number.parseFloat(getComputedStyle(each).fontSize) < least,
    );
    for (const each of small) each.style.fontSize = `${least}px`;
    const drawn = new CSSStyleSheet();
    drawn.replaceSync(`*::before, *::after { font-size: ${least}px !important }`);
    document.adoptedStyleSheets = [drawn];
  }, LARGE_LETTERS);
  await atRest(page);
  return tooWide(page);
}

/**
 * Words that can't be read: cut off by a box, overflowing their button or field, outside the window, or over other words.
 * Words that a box may shorten (an ellipsis, a number of lines) or scroll may be cut off.
 */
const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const SLACK = 1.5; // px: rounding, and the leading of tightly set lines
    interface Words {
      said: string;
      box: DOMRect;
      /** What they scroll with. Elements of different layers may cover each other. */
      layer: Element | null;
      of: Element;
    }
    const found = new Set<string>();
    const all: Words[] = [];
    const modal = document.querySelector('[aria-modal="true"]');
    const root = modal?.checkVisibility() ? modal : document.body;
    for (const box of root.querySelectorAll<HTMLElement>("*")) {
      const scrollsDown = box.scrollHeight > box.clientHeight + SLACK && getComputedStyle(box).overflowY === "auto";
      if (scrollsDown && box.scrollWidth > box.clientWidth + SLACK && box.matches(":not(textarea)"))
        found.add(`"${box.innerText.slice(0, 40)}" scrolls sideways as well as down`);
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();

    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const of = text.parentElement;
      const said = text.textContent?.trim() ?? "";
      if (!of || said === "" || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (of.closest("script, style, noscript, option, textarea, [inert]")) continue;
      range.selectNodeContents(text);
      const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      let layer: Element | null = null;
      let isHidden = false;
      let mayBeCut = false;
      for (let around: Element | null = of; around && around !== root; around = around.parentElement) {
        const style = getComputedStyle(around);
        if (style.clipPath !== "none") isHidden = true;
        const frame = around.getBoundingClientRect();
        const scrolls = /auto|scroll/.test(`${style.overflowX} ${style.overflowY}`);
        const shortens = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
        const cuts = /hidden|clip/.test(`${style.overflowX} ${style.overflowY}`);
        const holds = around.matches("button, a[href], input, label, [role=button], h1, h2, h3, p");
        if (scrolls || shortens) mayBeCut = true;
        if (!isHidden && !mayBeCut && (cuts || (holds && style.display !== "inline")))
          for (const box of boxes) {
            // The space at which a line breaks hangs over its end.
            const hangs = style.whiteSpace === "pre-wrap" ? Number.parseFloat(style.fontSize) / 2 : 0;
            const out = Math.max(
              box.right - frame.right - hangs,
              frame.left - box.left,
              cuts ? box.bottom - frame.bottom : 0,
            );
            const tall = box.height > frame.height + SLACK * 4;
            if (out > SLACK || tall)
              found.add(`"${said.slice(0, 40)}" does not fit its ${around.tagName.toLowerCase()}`);
          }
        if (layer === null && (/fixed|sticky/.test(style.position) || scrolls)) layer = around;
      }
      if (isHidden) continue;
      for (const box of boxes) {
        if (!mayBeCut && (box.right > innerWidth + SLACK || box.left < -SLACK))
          found.add(`"${said.slice(0, 40)}" is outside of the window`);
        all.push({ said, box, layer, of });
      }
    }

    // The line's height, not the letters': neighbouring lines may overlap by a fifth.
    all.sort((one, other) => one.box.top - other.box.top);
    all.forEach((one, at) => {
      for (let next = at + 1; next < all.length; next++) {
        const other = all[next] as Words;
        const deep = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
        if (deep <= 0) break;
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        if (one.layer !== other.layer || one.of === other.of || wide <= SLACK) continue;
        if (deep > Math.min(one.box.height, other.box.height) * 0.3)
          found.add(`"${one.said.slice(0, 30)}" and "${other.said.slice(0, 30)}" lie over each other`);
      }
    });
    return [...found];
  });
