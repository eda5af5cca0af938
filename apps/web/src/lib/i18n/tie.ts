import { SPECIFIED_RU } from "./specified.ts";

const SPECIFIED: ReadonlySet<string> = new Set(SPECIFIED_RU);
const SHORT_WORD = /(?<=^|[\s\u00a0(«])(\p{L}{1,2}) /gu;

/** Labels are short enough not to wrap, and are matched letter by letter by whoever looks a button up. */
const PROSE_FROM = 40;

/** Puts a non-breaking space after one- and two-letter words of prose, so that none is left alone at a line's end. */
export function tie(text: string): string {
  return text.length < PROSE_FROM || SPECIFIED.has(text) ? text : text.replace(SHORT_WORD, "$1\u00a0");
}

/** The same for every text of a dictionary, and for the results of its functions. */
export function tieAll<T>(texts: T): T {
  if (typeof texts === "string") return tie(texts) as T;
  if (typeof texts === "function") {
    const speak = texts as unknown as (...args: unknown[]) => unknown;
    return ((...args: unknown[]) => tieAll(speak(...args))) as T;
  }
  if (Array.isArray(texts)) return texts.map((text) => tieAll(text)) as T;
  if (typeof texts === "object" && texts !== null) {
    return Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, tieAll(value)])) as T;
  }
  return texts;
}
