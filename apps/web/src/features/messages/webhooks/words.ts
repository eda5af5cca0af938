import { makeWords } from "../../../lib/i18n/words.ts";
import { webhooks as webhooksRu } from "./words-ru.ts";

export const useWebhooksWords = makeWords(webhooksRu, () => import("./words-en.ts").then(({ webhooks }) => webhooks));
