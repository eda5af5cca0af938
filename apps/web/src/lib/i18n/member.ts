import { member } from "./ru/member.ts";
import { type MemberText, ru } from "./ru.ts";
import { typesetAll } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

export const memberRu = { ...ru, ...typesetAll(member) };

/** The texts of a member's own pages. The Russian ones load with the first of them, the English ones all at once. */
export function useMemberText(): MemberText {
  const speech = useSpeech();
  return speech.language === "en" ? speech.text : memberRu;
}
