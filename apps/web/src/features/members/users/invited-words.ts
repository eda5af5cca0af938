import { makeWords } from "../../../lib/i18n/words.ts";
import { invited as ru } from "./invited-words-ru.ts";

export const useInvitedWords = makeWords(ru, () => import("./invited-words-en.ts").then(({ invited }) => invited));
