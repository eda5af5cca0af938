import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { amneziawg as amneziawgEn } from "./amneziawg-words-en.ts";
import { amneziawg as amneziawgRu } from "./amneziawg-words-ru.ts";

export const amneziaWords = bothLanguages(amneziawgRu, amneziawgEn);

export const useAmneziaWords = () => amneziaWords[useSpeech().language];
