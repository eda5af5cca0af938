import type { Page } from "playwright-core";
import type { dictionaries } from "./dictionaries.ts";

export type Language = "ru" | "en";
export type Theme = "dark" | "light";
export const SIZES = { phone: { width: 360, height: 800 }, desktop: { width: 1440, height: 900 } } as const;
export type Size = keyof typeof SIZES;

export interface Stage {
  page: Page;
  /** What is to be undone before the page shows another screen. */
  afterwards: (() => Promise<void>)[];
  /** The dictionary of the language shown. */
  text: (typeof dictionaries)["ru"];
  language: Language;
}

export interface Screen {
  name: string;
  /** Of the sample club; null: a guest. */
  who: "marina" | "timur" | "oleg" | "vera" | "anton" | "moderator" | "admin" | null;
  /** Where it is there at all; both when nothing is said. */
  sizes?: readonly Size[];
  /** Goes there and waits for what is to be seen. It changes nothing in the club: others look at it at the same time. */
  open(stage: Stage): Promise<void>;
}

/** A busy machine brings a screen up late, and that is no fault of the screen. */
export const PATIENCE = { timeout: 30_000 };

/** The smallest picture there is. */
export const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
