import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { staffInvites as staffInvitesEn } from "./staff-words-en.ts";
import { staffInvites as staffInvitesRu } from "./staff-words-ru.ts";

/** Texts of the staff screens for invite codes. Both languages load with them. */
export const staffInvitesWords = bothLanguages(staffInvitesRu, staffInvitesEn);

export type StaffInvitesWords = typeof staffInvitesRu;

export const useStaffInvitesWords = () => staffInvitesWords[useSpeech().language];
