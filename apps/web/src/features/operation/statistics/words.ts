import { makeWords } from "../../../lib/i18n/words.ts";
import { statistics as statisticsRu } from "./words-ru.ts";

export const useStatisticsWords = makeWords(statisticsRu, () =>
  import("./words-en.ts").then(({ statistics }) => statistics),
);
