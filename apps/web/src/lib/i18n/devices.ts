import { diagnosis as diagnosisEn } from "./en/diagnosis.ts";
import { month as monthEn } from "./en/month.ts";
import * as ownEn from "./en/own-devices.ts";
import { diagnosis as diagnosisRu } from "./ru/diagnosis.ts";
import { month as monthRu } from "./ru/month.ts";
import * as ownRu from "./ru/own-devices.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** Texts of a device's dialogs. Both languages load with them, not with the first page. */
export const devices = bothLanguages(
  { diagnosis: diagnosisRu, month: monthRu, ...ownRu },
  { diagnosis: diagnosisEn, month: monthEn, ...ownEn },
);

export type DiagnosisWords = typeof diagnosisRu;

export const useDevices = () => devices[useSpeech().language];
