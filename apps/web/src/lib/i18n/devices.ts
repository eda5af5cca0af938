import { diagnosis as diagnosisEn } from "./en/diagnosis.ts";
import { month as monthEn } from "./en/month.ts";
import { diagnosis as diagnosisRu } from "./ru/diagnosis.ts";
import { month as monthRu } from "./ru/month.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What a device's dialogs say: both languages are loaded with them and not with the first page. */
export const devices = {
  ru: tieAll({ diagnosis: diagnosisRu, month: monthRu }),
  en: { diagnosis: diagnosisEn, month: monthEn } as { diagnosis: typeof diagnosisRu; month: typeof monthRu },
};

export type DiagnosisWords = typeof diagnosisRu;

export const useDevices = () => devices[useSpeech().language];
