type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Picks the word that goes with a number: `word(5)` of ru { one: "устройство", few: "устройства", … } is "устройств". */
export function wordFor(language: "ru" | "en", forms: Forms) {
  const rules = new Intl.PluralRules(language);
  return (count: number) => forms[rules.select(count)] ?? forms.other;
}

/** From here on a number is hard to read without a thousands separator. */
const LONG = 10_000;

/** A count for reading: 9999, but '12 345' in Russian and '12,345' in English. */
export function countText(language: "ru" | "en", count: number): string {
  return Math.abs(count) < LONG ? String(count) : count.toLocaleString(language);
}

/** The number with its word: "5 устройств". */
export function counter(language: "ru" | "en", forms: Forms) {
  const word = wordFor(language, forms);
  return (count: number) => `${countText(language, count)}\u00a0${word(count)}`;
}

/** The same with forms as a list: one, few and many in Russian, one and other in English. */
export function wordOf(language: "ru" | "en", forms: readonly string[], count: number): string {
  const [one, few = one, many = few] = forms;
  const all = language === "ru" ? { one, few, many, other: few } : { one, other: few };
  return wordFor(language, all as Forms)(count);
}
