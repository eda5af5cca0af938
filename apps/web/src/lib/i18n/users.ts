import { users as usersEn } from "./en/users.ts";
import { users as usersRu } from "./ru/users.ts";
import { bothLanguages } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screens of members say: both languages are loaded with them. */
export const usersWords = bothLanguages(usersRu, usersEn);

export type UsersWords = typeof usersRu;

export const useUsersWords = () => usersWords[useSpeech().language];
