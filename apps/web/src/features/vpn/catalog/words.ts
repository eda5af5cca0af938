import { makeWords } from "../../../lib/i18n/words.ts";
import { catalog as catalogRu } from "./words-ru.ts";

/** What the screen of services and DNS entries says. */
export const useCatalogWords = makeWords(catalogRu, () => import("./words-en.ts").then(({ catalog }) => catalog));
