import { type Language, refusals } from "@krug/contract/refusals";
import type { z } from "zod";
import en from "zod/v4/locales/en.js";
import ru from "zod/v4/locales/ru.js";
import { Refusal } from "../refusal.ts";

const errorMaps = { ru: ru().localeError, en: en().localeError };
const words = {
  ru: { unknown: "такого поля нет", sign: "содержит недопустимый знак", body: "тело запроса" },
  en: { unknown: "there is no such field", sign: "contains a character that is not allowed", body: "request body" },
};

/** Parses input, or refuses with 400 and a sentence that names the field (decisions, section 13). */
export function parseInput(schema: z.ZodType, input: unknown, language: Language): unknown {
  const hostile = fieldWithZeroByte(input);
  if (hostile !== null) throw invalid(hostile, words[language].sign, language);
  const result = schema.safeParse(input, { error: errorMaps[language] });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw invalid([], "", language);
  if (issue.code === "unrecognized_keys")
    throw invalid([...issue.path, issue.keys[0] ?? ""], words[language].unknown, language);
  // A pattern tells nobody anything.
  const isPattern = issue.code === "invalid_format" && issue.format === "regex";
  throw invalid(issue.path, isPattern ? words[language].sign : issue.message, language);
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

interface Found {
  readonly value: unknown;
  readonly name: string;
  readonly inside: Found | null;
}

/** PostgreSQL takes no zero bytes in text, and nobody means one. A loop: how deep a body is nested is its sender's choice. */
function fieldWithZeroByte(input: unknown): readonly string[] | null {
  const left: Found[] = [{ value: input, name: "", inside: null }];
  for (let found = left.pop(); found !== undefined; found = left.pop()) {
    const { value } = found;
    if (typeof value === "string" && value.includes("\0")) return pathOf(found);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) left.push({ value: inner, name, inside: found });
  }
  return null;
}

function pathOf(found: Found): readonly string[] {
  const path: string[] = [];
  for (let at = found; at.inside !== null; at = at.inside) path.push(at.name);
  return path.reverse();
}

export const statusOf = (code: keyof typeof refusals) => refusals[code].status;
