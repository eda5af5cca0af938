import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { statistics as statisticsEn } from "./words-en.ts";
import { statistics as statisticsRu } from "./words-ru.ts";

/** Both languages load with the screens that use them. */
export const statisticsWords = bothLanguages(statisticsRu, statisticsEn);

export const useStatisticsWords = () => statisticsWords[useSpeech().language];
