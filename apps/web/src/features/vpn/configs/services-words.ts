import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { servicesWords as en } from "./services-words-en.ts";
import { servicesWords as ru } from "./services-words-ru.ts";

export const servicesWords = bothLanguages(ru, en);

export const useServicesWords = () => servicesWords[useSpeech().language];
