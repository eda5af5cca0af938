import { makeWords } from "../../../lib/i18n/words.ts";
import { staffInvites as staffInvitesRu } from "./staff-words-ru.ts";

/** Texts of the staff screens for invite codes. */
export const useStaffInvitesWords = makeWords(staffInvitesRu, () =>
  import("./staff-words-en.ts").then(({ staffInvites }) => staffInvites),
);

export type StaffInvitesWords = typeof staffInvitesRu;
