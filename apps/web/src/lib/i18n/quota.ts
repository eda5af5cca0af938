import { quota as ru } from "./ru/quota.ts";
import { makeWords } from "./words.ts";

export const useQuotaWords = makeWords(ru, () => import("./en/quota.ts").then(({ quota }) => quota));
