import { staff as staffEn } from "./en/staff.ts";
import { staff as staffRu } from "./ru/staff.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What stands around the screens of the administration area: both languages are loaded with it. */
export const staffWords = { ru: tieAll(staffRu), en: staffEn as typeof staffRu };

export type StaffWords = typeof staffRu;

export const useStaffWords = () => staffWords[useSpeech().language];
