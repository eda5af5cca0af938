import { makeWords } from "../../../lib/i18n/words.ts";
import { inbox as inboxRu } from "./words-ru.ts";

export const useInboxWords = makeWords(inboxRu, () => import("./words-en.ts").then(({ inbox }) => inbox));
