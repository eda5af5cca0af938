import { makeWords } from "../../../lib/i18n/words.ts";
import { apiTokens as apiTokensRu } from "./words-ru.ts";

export const useApiTokenWords = makeWords(apiTokensRu, () =>
  import("./words-en.ts").then(({ apiTokens }) => apiTokens),
);
