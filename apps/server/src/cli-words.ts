import type { Language } from "@krug/contract/refusals";
import { type CliWords, cliWordsEn } from "./cli-words-en.ts";
import { cliWordsRu } from "./cli-words-ru.ts";

export const cliWords: Record<Language, CliWords> = { ru: cliWordsRu, en: cliWordsEn };

/** The language of the person at the terminal, from the locale variables in their order (POSIX, section 8.2). */
export function terminalLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((each) => each !== undefined && each !== "");
  return /^ru(?:[_.@]|$)/i.test(locale ?? "") ? "ru" : "en";
}
