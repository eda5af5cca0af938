import { addPart } from "./later-words.ts";
import { typesetAll } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/**
 * One part's texts: the hook that its components use. The Russian ones load with the part and are its `ru`. The English ones are a
 * file of their own, which is there before the page speaks English, or before a part that loads later is shown. A text missing in
 * English does not compile.
 */
export function makeWords<Words>(
  russian: Words,
  english: () => Promise<NoInfer<Words>>,
): (() => Words) & { ru: Words } {
  const ru = typesetAll(russian);
  let en = ru;
  addPart(async () => {
    en = await english();
  });
  return Object.assign(() => (useSpeech().language === "en" ? en : ru), { ru });
}
