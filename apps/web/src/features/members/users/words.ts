import { makeWords } from "../../../lib/i18n/words.ts";
import { users as usersRu } from "./words-ru.ts";

/** What the screens of members say. */
export const useUsersWords = makeWords(usersRu, () => import("./words-en.ts").then(({ users }) => users));

export type UsersWords = typeof usersRu;
