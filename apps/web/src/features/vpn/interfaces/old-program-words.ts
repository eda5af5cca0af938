import { makeWords } from "../../../lib/i18n/words.ts";
import { oldProgram as oldProgramRu } from "./old-program-words-ru.ts";

export const useOldProgramWords = makeWords(oldProgramRu, () =>
  import("./old-program-words-en.ts").then(({ oldProgram }) => oldProgram),
);
