import type { Page } from "playwright-core";
import type { dictionaries } from "./dictionaries.ts";

export type Language = "ru" | "en";
export type Theme = "dark" | "light";
export const SIZES = { phone: { width: 360, height: 800 }, desktop: { width: 1440, height: 900 } } as const;
export type Size = keyof typeof SIZES;

export interface Stage {
  page: Page;
  /** Undone before the page shows another screen. */
  afterwards: (() => Promise<void>)[];
  /** The dictionary of the language shown. */
  text: (typeof dictionaries)["ru"];
  language: Language;
}

export interface Screen {
  name: string;
  /** One of the sample club's people; null: a guest. */
  who: "marina" | "timur" | "oleg" | "vera" | "anton" | "moderator" | "admin" | null;
  /** It uses another screen's components with other texts or no content: checked in soak only. */
  isVariant?: true;
  /** Each of its components is on another screen too: checked in soak only, which also proves that. */
  isComposed?: true;
  /** If the screen exists in one size only. Default: both. */
  sizes?: readonly Size[];
  /** Opens the screen and waits until it shows. Changes nothing in the club, because other screens use it at the same time. */
  open(stage: Stage): Promise<void>;
}

/** A busy machine may show a screen late, which is not the screen's fault. */
export const PATIENCE = { timeout: 30_000 };

/** The smallest possible picture. */
export const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
