import { staff as staffEn } from "./en/staff.ts";
import { staff as staffRu } from "./ru/staff.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** Texts around the administration screens. Both languages load with them. */
export const staffWords = bothLanguages(staffRu, staffEn);

export type StaffWords = typeof staffRu;

export const useStaffWords = () => staffWords[useSpeech().language];
