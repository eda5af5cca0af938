import { bothLanguages } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { users as usersEn } from "./words-en.ts";
import { users as usersRu } from "./words-ru.ts";

/** What the screens of members say: both languages are loaded with them. */
export const usersWords = bothLanguages(usersRu, usersEn);

export type UsersWords = typeof usersRu;

export const useUsersWords = () => usersWords[useSpeech().language];
