import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { outbox as outboxEn } from "./words-en.ts";
import { outbox as outboxRu } from "./words-ru.ts";

export const outboxWords = bothLanguages(outboxRu, outboxEn);

export const useOutboxWords = () => outboxWords[useSpeech().language];
