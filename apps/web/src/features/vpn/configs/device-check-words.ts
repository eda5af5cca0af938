import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { deviceCheck as en } from "./device-check-words-en.ts";
import { deviceCheck as ru } from "./device-check-words-ru.ts";

export const deviceCheckWords = bothLanguages(ru, en);

export const useDeviceCheckWords = () => deviceCheckWords[useSpeech().language];
