import { staffPayments as staffPaymentsEn } from "./en/staff-payments.ts";
import { staffPayments as staffPaymentsRu } from "./ru/staff-payments.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What staff's screens of payments say: both languages are loaded with them. */
export const staffPaymentsWords = bothLanguages(staffPaymentsRu, staffPaymentsEn);

export type StaffPaymentsWords = typeof staffPaymentsRu;

export const useStaffPaymentsWords = () => staffPaymentsWords[useSpeech().language];
