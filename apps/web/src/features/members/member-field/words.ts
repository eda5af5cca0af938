import { makeWords } from "../../../lib/i18n/words.ts";
import { memberField as ru } from "./words-ru.ts";

export const useMemberFieldWords = makeWords(ru, () => import("./words-en.ts").then(({ memberField }) => memberField));
