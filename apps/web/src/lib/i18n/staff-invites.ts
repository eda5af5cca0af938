import { staffInvites as staffInvitesEn } from "./en/staff-invites.ts";
import { staffInvites as staffInvitesRu } from "./ru/staff-invites.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What staff's screens of invite codes say: both languages are loaded with them. */
export const staffInvitesWords = { ru: tieAll(staffInvitesRu), en: staffInvitesEn as typeof staffInvitesRu };

export type StaffInvitesWords = typeof staffInvitesRu;

export const useStaffInvitesWords = () => staffInvitesWords[useSpeech().language];
