import { makeWords } from "../../../lib/i18n/words.ts";
import { groups as ru } from "./words-ru.ts";

export const useGroupsWords = makeWords(ru, () => import("./words-en.ts").then(({ groups }) => groups));
