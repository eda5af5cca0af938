import { statistics as statisticsEn } from "./en/statistics.ts";
import { statistics as statisticsRu } from "./ru/statistics.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages are loaded with the screens that say it. */
export const statisticsWords = bothLanguages(statisticsRu, statisticsEn);

export const useStatisticsWords = () => statisticsWords[useSpeech().language];
