import { staffPayments as staffPaymentsEn } from "./en/staff-payments.ts";
import { staffPayments as staffPaymentsRu } from "./ru/staff-payments.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What staff's screens of payments say: both languages are loaded with them. */
export const staffPaymentsWords = { ru: tieAll(staffPaymentsRu), en: staffPaymentsEn as typeof staffPaymentsRu };

export type StaffPaymentsWords = typeof staffPaymentsRu;

export const useStaffPaymentsWords = () => staffPaymentsWords[useSpeech().language];
