import { support as ru } from "./ru/support.ts";
import { makeWords } from "./words.ts";

/** The support widget's texts. */
export const useSupportWords = makeWords(ru, () => import("./en/support.ts").then(({ support }) => support));

export type SupportWords = typeof ru;
