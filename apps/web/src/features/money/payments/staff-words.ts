import { makeWords } from "../../../lib/i18n/words.ts";
import { staffPayments as staffPaymentsRu } from "./staff-words-ru.ts";

/** Texts of the staff screens for payments. */
export const useStaffPaymentsWords = makeWords(staffPaymentsRu, () =>
  import("./staff-words-en.ts").then(({ staffPayments }) => staffPayments),
);

export type StaffPaymentsWords = typeof staffPaymentsRu;
