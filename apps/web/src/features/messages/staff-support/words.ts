import { makeWords } from "../../../lib/i18n/words.ts";
import { staffSupport as ru } from "./words-ru.ts";

/** Texts of the staff's side of support. */
export const useStaffSupportWords = makeWords(ru, () =>
  import("./words-en.ts").then(({ staffSupport }) => staffSupport),
);

export type StaffSupportWords = typeof ru;
