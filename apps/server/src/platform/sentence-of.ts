import type { Language } from "@krug/contract/refusals";
import { reasonLine } from "@krug/domain/reasons";
import { Failure } from "./failure.ts";
import { fileTrouble } from "./file-trouble.ts";
import { Refusal } from "./refusal.ts";

/** For who reads a terminal. What nobody has words for stays as it is. */
export function sentenceOf(error: unknown, language: Language): string {
  if (error instanceof Refusal) return error.sentence(language);
  const known = error instanceof Failure ? error : fileTrouble(error);
  if (known !== null) return reasonLine(known.why, language);
  return error instanceof Error ? error.message : String(error);
}
