import type { Passwords } from "../remote.ts";

/** Not written as `/…/`: there the bundler keeps non-Latin-1 letters, and a single one doubles the panel's code in memory. */
const inWords = (pattern: string) => new RegExp(pattern, "i");

/** Of a second factor. */
export const ASKS_CODE = inWords("code|token|one-time|otp|passcode|второй фактор|код");

/** A dialogue asks for each password once, and for the new one again. */
const AGAIN = inWords("again|retype|re-?enter|repeat|confirm|повтор|ещё раз|wieder|répét|vuelva");
const CURRENT = inWords("current|\\bold\\b|текущ|стар|aktuell|altes|actuel|actual");
const NEW = inWords("\\bnew\\b|нов|neues|nouveau|nuev");
const ANY = inWords("password|парол|passwor|mot de passe|contraseña");

type Asked = "current" | "next" | "again";

/** What a prompt asks for; null: it is not part of this dialogue. */
export function askedBy(prompt: string): Asked | null {
  if (!ANY.test(prompt)) return null;
  if (AGAIN.test(prompt)) return "again";
  if (CURRENT.test(prompt)) return "current";
  return NEW.test(prompt) ? "next" : "current";
}

/** Answers a dialogue's prompts, each kind once: a repeated one means that the answer was rejected. */
export function answerPrompts({ current, next }: Passwords) {
  const answered = new Set<Asked>();
  return {
    isDone: () => answered.has("again"),
    /** Null: there is no answer, or no further one. */
    answer(prompt: string): string | null {
      const asked = askedBy(prompt);
      if (asked === null || answered.has(asked)) return null;
      answered.add(asked);
      return asked === "current" ? current : next;
    },
  };
}
