import { makeWords } from "../../../lib/i18n/words.ts";
import { unknownPeers as ru } from "./words-ru.ts";

export const useUnknownPeersWords = makeWords(ru, () =>
  import("./words-en.ts").then(({ unknownPeers }) => unknownPeers),
);
