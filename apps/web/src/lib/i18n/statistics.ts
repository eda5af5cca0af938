import { statistics as statisticsEn } from "./en/statistics.ts";
import { statistics as statisticsRu } from "./ru/statistics.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Both languages are loaded with the screens that say it. */
export const statisticsWords = { ru: tieAll(statisticsRu), en: statisticsEn as typeof statisticsRu };

export const useStatisticsWords = () => statisticsWords[useSpeech().language];
