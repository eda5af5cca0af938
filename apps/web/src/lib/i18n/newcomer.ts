import { newcomer } from "./ru/newcomer.ts";
import { type NewcomerText, ru } from "./ru.ts";
import { typesetAll } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

export const newcomerRu = { ...ru, ...typesetAll(newcomer) };

/** The texts of the pages for newcomers. They load like a member's (member.ts). */
export function useNewcomerText(): NewcomerText {
  const speech = useSpeech();
  return speech.language === "en" ? speech.text : newcomerRu;
}
