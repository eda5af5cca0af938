import { wordOf } from "./plural.ts";

export type Language = "ru" | "en";

/** A sentence with `{name}` replaced by its detail, and `{count|one|more}` by the plural form for the number. */
export const fillIn = (sentence: string, language: Language, details: Readonly<Record<string, unknown>>): string =>
  sentence.replace(/\{(\w+)((?:\|[^|{}]+)*)\}/g, (whole, name: string, forms: string) => {
    const value = details[name];
    if (value === undefined) return whole;
    return forms === "" ? String(value) : wordOf(language, forms.slice(1).split("|"), Number(value));
  });
