import type { Language } from "@krug/contract/refusals";
import { reasonLine } from "@krug/domain/reasons";
import { Failure } from "./failure.ts";
import { fileTrouble } from "./file-trouble.ts";
import { Refusal } from "./refusal.ts";

/** An error that has its sentence in each language. */
export abstract class BilingualError extends Error {
  abstract in(language: Language): string;
}

/** An error as a sentence for a terminal; unknown errors keep their own message. */
export function sentenceOf(error: unknown, language: Language): string {
  if (error instanceof Refusal) return error.sentence(language);
  if (error instanceof BilingualError) return error.in(language);
  const known = error instanceof Failure ? error : fileTrouble(error);
  if (known !== null) return reasonLine(known.why, language);
  return error instanceof Error ? error.message : String(error);
}
