import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { staffPayments as staffPaymentsEn } from "./staff-words-en.ts";
import { staffPayments as staffPaymentsRu } from "./staff-words-ru.ts";

/** Texts of the staff screens for payments. Both languages load with them. */
export const staffPaymentsWords = bothLanguages(staffPaymentsRu, staffPaymentsEn);

export type StaffPaymentsWords = typeof staffPaymentsRu;

export const useStaffPaymentsWords = () => staffPaymentsWords[useSpeech().language];
