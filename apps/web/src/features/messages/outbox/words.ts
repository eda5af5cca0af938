import { makeWords } from "../../../lib/i18n/words.ts";
import { outbox as outboxRu } from "./words-ru.ts";

export const useOutboxWords = makeWords(outboxRu, () => import("./words-en.ts").then(({ outbox }) => outbox));
