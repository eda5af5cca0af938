import type { Language } from "@krug/contract/refusals";
import type { z } from "zod";
import { Refusal } from "../refusal.ts";
import { problemOf, wrongSign } from "./input-problem.ts";

const WHOLE_BODY = { ru: "тело запроса", en: "request body" };

/** Parses input, or refuses with 400 and a sentence that names the field (decisions, section 13). */
export function parseInput(schema: z.ZodType, input: unknown, language: Language): unknown {
  const hostile = fieldWithZeroByte(input);
  if (hostile !== null) throw invalid(hostile, wrongSign, language);
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw invalid([], () => "", language);
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  throw invalid(path, (inLanguage) => problemOf(issue, inLanguage), language);
}

export function invalid(path: readonly PropertyKey[], problem: (language: Language) => string, language: Language) {
  // Client-made names are truncated, so an error cannot be made to carry a whole page.
  const names = path
    .map((part) => String(part).slice(0, 64))
    .join(".")
    .slice(0, 200);
  const said = (inLanguage: Language) => ({
    field: names || WHOLE_BODY[inLanguage],
    problem: problem(inLanguage),
  });
  return new Refusal("request.invalid", said(language), { ru: said("ru"), en: said("en") });
}

/** PostgreSQL does not allow zero bytes in text. Depth and size were bounded before. */
function fieldWithZeroByte(input: unknown): readonly string[] | null {
  if (typeof input === "string") return input.includes("\0") ? [] : null;
  if (typeof input !== "object" || input === null) return null;
  for (const [name, value] of Object.entries(input)) {
    const inside = name.includes("\0") ? [] : fieldWithZeroByte(value);
    if (inside !== null) return [name, ...inside];
  }
  return null;
}
