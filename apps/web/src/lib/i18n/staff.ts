import { staff as staffRu } from "./ru/staff.ts";
import { makeWords } from "./words.ts";

/** Texts around the administration screens. */
export const useStaffWords = makeWords(staffRu, () => import("./en/staff.ts").then(({ staff }) => staff));

export type StaffWords = typeof staffRu;
