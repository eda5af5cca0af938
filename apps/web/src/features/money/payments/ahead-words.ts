import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";

const ru = { open: "Оплатить вперёд" };
const en: typeof ru = { open: "Pay ahead" };

const words = bothLanguages(ru, en);

export const useAheadWords = () => words[useSpeech().language];
