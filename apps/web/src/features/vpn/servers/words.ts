import { makeWords } from "../../../lib/i18n/words.ts";
import { servers as serversRu } from "./words-ru.ts";

/** Texts of servers and of assignments. */
export const useServersWords = makeWords(serversRu, () => import("./words-en.ts").then(({ servers }) => servers));

export type ServersWords = typeof serversRu;
