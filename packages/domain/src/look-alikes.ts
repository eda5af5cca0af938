/** Cyrillic letters and the Latin ones that look the same, in lower case. */
export const LOOK_ALIKES: readonly (readonly [string, string])[] = [
  ["а", "a"],
  ["в", "b"],
  ["е", "e"],
  ["к", "k"],
  ["м", "m"],
  ["н", "h"],
  ["о", "o"],
  ["р", "p"],
  ["с", "c"],
  ["т", "t"],
  ["у", "y"],
  ["х", "x"],
];
const CAPITALS = new Map(LOOK_ALIKES.map(([cyrillic, latin]) => [cyrillic.toUpperCase(), latin.toUpperCase()]));

/** The Latin capital that a character looks like, or is. */
export const latinCapital = (sign: string): string => CAPITALS.get(sign.toUpperCase()) ?? sign.toUpperCase();
