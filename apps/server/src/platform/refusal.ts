import { whyOf } from "@krug/contract/reasons";
import { type Language, type RefusalCode, refusalText } from "@krug/contract/refusals";
import { type Reason, reasonLine } from "@krug/domain/reasons";

type Details = Readonly<Record<string, unknown>>;

/**
 * An expected refusal. `details` fill the text and go to the client, so they never hold secrets. `inLanguages`: details that are
 * words themselves.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly details: Details;
  private readonly inLanguages: Partial<Record<Language, Details>>;

  constructor(code: RefusalCode, details: Details = {}, inLanguages: Partial<Record<Language, Details>> = {}) {
    super(code);
    this.code = code;
    this.details = details;
    this.inLanguages = inLanguages;
  }

  sentence(language: Language): string {
    return refusalText(this.code, language, { ...this.details, ...this.inLanguages[language] });
  }
}

export function refuse(code: RefusalCode, details?: Details): never {
  throw new Refusal(code, details);
}

/** A problem with a field of the input, in both languages: the answer has both, whichever was requested. */
export function refuseField(
  field: string,
  problem: Readonly<Record<Language, string>>,
  { language = "en", ...more }: { language?: Language } & Details = {},
): never {
  throw new Refusal(
    "request.invalid",
    { field, problem: problem[language], ...more },
    { ru: { problem: problem.ru }, en: { problem: problem.en } },
  );
}

/**
 * A refusal whose text ends with the reason: `{reason}`, in both languages; the details have it in English, as usual, and as its
 * code.
 */
export function refuseBecause(code: RefusalCode, kept: Reason, more: Details = {}): never {
  const [ru, en] = [reasonLine(kept, "ru"), reasonLine(kept, "en")];
  throw new Refusal(code, { ...more, reason: en, why: whyOf(kept) }, { ru: { reason: ru }, en: { reason: en } });
}

/** Turns a rule's result (a reason or null) into a refusal. */
export function refuseIf(code: RefusalCode | null, details?: Details): void {
  if (code !== null) throw new Refusal(code, details);
}
