import { makeWords } from "../../../lib/i18n/words.ts";
import { amneziawg as amneziawgRu } from "./amneziawg-words-ru.ts";

export const useAmneziaWords = makeWords(amneziawgRu, () =>
  import("./amneziawg-words-en.ts").then(({ amneziawg }) => amneziawg),
);
