import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { staffSupport as en } from "./words-en.ts";
import { staffSupport as ru } from "./words-ru.ts";

/** Texts of the staff's side of support. Both languages load with it. */
export const staffSupportWords = bothLanguages(ru, en);

export type StaffSupportWords = typeof ru;

export const useStaffSupportWords = () => staffSupportWords[useSpeech().language];
