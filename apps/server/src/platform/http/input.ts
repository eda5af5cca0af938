import { type Language, refusals } from "@krug/contract/refusals";
import type { z } from "zod";
import { Refusal } from "../refusal.ts";
import { problemOf, wrongSign } from "./input-problem.ts";

const WHOLE_BODY = { ru: "тело запроса", en: "request body" };

/** Parses input, or refuses with 400 and a sentence that names the field (decisions, section 13). */
export function parseInput(schema: z.ZodType, input: unknown, language: Language): unknown {
  const hostile = fieldWithZeroByte(input);
  if (hostile !== null) throw invalid(hostile, wrongSign(language), language);
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue === undefined) throw invalid([], "", language);
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  throw invalid(path, problemOf(issue, language), language);
}

const invalid = (path: readonly PropertyKey[], problem: string, language: Language) =>
  new Refusal("request.invalid", {
    // A name that a client made up is cut, so that an error can't be made to carry a page.
    field:
      path
        .map((part) => String(part).slice(0, 64))
        .join(".")
        .slice(0, 200) || WHOLE_BODY[language],
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
