import { staffSupport as en } from "./en/staff-support.ts";
import { staffSupport as ru } from "./ru/staff-support.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What staff's side of support says: both languages are loaded with it. */
export const staffSupportWords = bothLanguages(ru, en);

export type StaffSupportWords = typeof ru;

export const useStaffSupportWords = () => staffSupportWords[useSpeech().language];
