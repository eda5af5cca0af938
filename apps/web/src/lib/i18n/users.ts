import { users as usersEn } from "./en/users.ts";
import { users as usersRu } from "./ru/users.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** What the screens of members say: both languages are loaded with them. */
export const usersWords = { ru: tieAll(usersRu), en: usersEn as typeof usersRu };

export type UsersWords = typeof usersRu;

export const useUsersWords = () => usersWords[useSpeech().language];
