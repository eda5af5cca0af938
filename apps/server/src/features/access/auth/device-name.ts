const LONGEST = 60;

/** The first match names it: every browser also claims the names of older ones. */
const PROGRAMS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPiOS|Opera)\//, "Opera"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/^(?=.*\bVersion\/).*\bSafari\//s, "Safari"],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\biPad\b/, "iPad"],
  [/\biPhone\b/, "iPhone"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (list: readonly [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1];

/**
 * 'Chrome, Android' from a User-Agent; its first word if it is not a browser's ('curl'); null without one. `program`: the app whose
 * browser it is.
 */
export function deviceName(userAgent: string | null, program?: string): string | null {
  // A header may be long; the browser is named near its start.
  const text = (userAgent ?? "").slice(0, 512);
  const named = [program ?? nameIn(PROGRAMS, text), nameIn(SYSTEMS, text)].filter((name) => name !== undefined);
  if (named.length > 0) return named.join(", ");
  const firstWord = /^[\w.+-]+/.exec(text.trim())?.[0].slice(0, LONGEST);
  return firstWord ?? null;
}
