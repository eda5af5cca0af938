import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { webhooks as webhooksEn } from "./words-en.ts";
import { webhooks as webhooksRu } from "./words-ru.ts";

const webhooksWords = bothLanguages(webhooksRu, webhooksEn);

export const useWebhooksWords = () => webhooksWords[useSpeech().language];
