import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { alarms as en } from "./alarms-words-en.ts";
import { alarms as ru } from "./alarms-words-ru.ts";

const alarmsWords = bothLanguages(ru, en);

export const useAlarmsWords = () => alarmsWords[useSpeech().language];
