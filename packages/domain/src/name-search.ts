import { LOOK_ALIKES } from "./look-alikes.ts";

const LATIN = new Map(LOOK_ALIKES);
const CYRILLIC = new Map(LOOK_ALIKES.map(([cyrillic, latin]) => [latin, cyrillic] as const));

/** More words than a name has; each word costs a scan of every name. */
const MOST_WORDS = 6;

/** A name as stored for search: lower case, е for ё. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll("ё", "е");

/**
 * What to search names for, given typed text: each word must occur somewhere in one of its spellings (as typed, and in a single
 * alphabet if all its letters look the same there). The @ of a login that was pasted from a messenger is ignored.
 */
export function wordsSought(typed: string): string[][] {
  const typedWords = nameKey(typed).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
  const words = typedWords.map((word) => word.replace(/^@(?=.)/, ""));
  return words.map((word) => [...new Set([word, spelled(word, LATIN), spelled(word, CYRILLIC)])]);
}

/** The word in this alphabet; unchanged if one of its letters is not in it. */
function spelled(word: string, alphabet: ReadonlyMap<string, string>): string {
  const own = alphabet === LATIN ? /\p{Script=Latin}/u : /\p{Script=Cyrillic}/u;
  const isKept = (sign: string) => !/\p{L}/u.test(sign) || own.test(sign);
  const signs = [...word].map((sign) => (isKept(sign) ? sign : alphabet.get(sign)));
  return signs.every((sign) => sign !== undefined) ? signs.join("") : word;
}
