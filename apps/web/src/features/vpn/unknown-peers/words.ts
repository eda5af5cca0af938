import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { unknownPeers as en } from "./words-en.ts";
import { unknownPeers as ru } from "./words-ru.ts";

const words = bothLanguages(ru, en);

export const useUnknownPeersWords = () => words[useSpeech().language];
