import { circle as ru } from "./ru/circle.ts";
import { makeWords } from "./words.ts";

/** Long texts for a dialog. They load with it, not with the first page. */
export const useCircle = makeWords(ru, () => import("./en/circle.ts").then(({ circle }) => circle));
