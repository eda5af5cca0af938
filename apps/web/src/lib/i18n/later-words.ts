import type { Language } from "@krug/domain/fill-in";

/** What loads the English texts of each part of the page that has none yet. */
const parts = new Set<() => Promise<void>>();
let language: Language = "ru";

/** Registers a part of the page whose English texts are a file of their own. */
export function addPart(load: () => Promise<void>): void {
  const once = () => load().then(() => void parts.delete(once));
  parts.add(once);
}

/** Loads the texts of every loaded part in the language that is spoken next. */
export function loadWordsIn(next: Language): Promise<void> {
  language = next;
  return loadWords();
}

/** The same in the language that was last asked for, also for parts that came since. */
export async function loadWords(): Promise<void> {
  if (language === "en") await Promise.all([...parts].map((load) => load()));
}
