import { type Language, refusals } from "@krug/contract/refusals";
import type { z } from "zod";
import en from "zod/v4/locales/en.js";
import ru from "zod/v4/locales/ru.js";
import { Refusal } from "../refusal.ts";

const errorMaps = { ru: ru().localeError, en: en().localeError };
const words = {
  ru: { unknown: "такого поля нет", zero: "содержит недопустимый знак", body: "тело запроса" },
  en: { unknown: "there is no such field", zero: "contains a character that is not allowed", body: "request body" },
};

/** Parses input, or refuses with 400 and a sentence that names the field (decisions, section 13). */
export function parseInput(schema: z.ZodType, input: unknown, language: Language): unknown {
  const hostile = fieldWithZeroByte(input, []);
  if (hostile !== null) throw invalid(hostile, words[language].zero, language);
  const result = schema.safeParse(input, { error: errorMaps[language] });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw invalid([], "", language);
  if (issue.code === "unrecognized_keys")
    throw invalid([...issue.path, issue.keys[0] ?? ""], words[language].unknown, language);
  throw invalid(issue.path, issue.message, language);
}

const invalid = (path: readonly PropertyKey[], problem: string, language: Language) =>
  new Refusal("request.invalid", {
    // A name that a client made up is cut, so that an error can't be made to carry a page.
    field:
      path
        .map((part) => String(part).slice(0, 64))
        .join(".")
        .slice(0, 200) || words[language].body,
    problem,
  });

/** PostgreSQL takes no zero bytes in text, and nobody means one. */
function fieldWithZeroByte(value: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof value === "string") return value.includes("\0") ? path : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = fieldWithZeroByte(inner, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

export const statusOf = (code: keyof typeof refusals) => refusals[code].status;
