import { staffInvites as staffInvitesEn } from "./en/staff-invites.ts";
import { staffInvites as staffInvitesRu } from "./ru/staff-invites.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What staff's screens of invite codes say: both languages are loaded with them. */
export const staffInvitesWords = bothLanguages(staffInvitesRu, staffInvitesEn);

export type StaffInvitesWords = typeof staffInvitesRu;

export const useStaffInvitesWords = () => staffInvitesWords[useSpeech().language];
