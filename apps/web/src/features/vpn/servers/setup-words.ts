import { makeWords } from "../../../lib/i18n/words.ts";
import { serverSetup as setupRu } from "./setup-words-ru.ts";

/** Texts of a server's set-up. */
export const useSetupWords = makeWords(setupRu, () =>
  import("./setup-words-en.ts").then(({ serverSetup }) => serverSetup),
);

export type SetupWords = typeof setupRu;
