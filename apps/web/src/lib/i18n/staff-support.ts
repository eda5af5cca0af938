import { staffSupport as en } from "./en/staff-support.ts";
import { staffSupport as ru } from "./ru/staff-support.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What staff's side of support says: both languages are loaded with it. */
export const staffSupportWords = { ru: tieAll(ru), en: en as typeof ru };

export type StaffSupportWords = typeof ru;

export const useStaffSupportWords = () => staffSupportWords[useSpeech().language];
