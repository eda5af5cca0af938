import { makeWords } from "../../../lib/i18n/words.ts";
import { interfaces as interfacesRu } from "./words-ru.ts";

/** The interfaces screen's texts. */
export const useInterfacesWords = makeWords(interfacesRu, () =>
  import("./words-en.ts").then(({ interfaces }) => interfaces),
);
