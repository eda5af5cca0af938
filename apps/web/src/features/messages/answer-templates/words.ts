import { makeWords } from "../../../lib/i18n/words.ts";
import { answerTemplates as ru } from "./words-ru.ts";

export const useAnswerTemplatesWords = makeWords(ru, () =>
  import("./words-en.ts").then(({ answerTemplates }) => answerTemplates),
);
