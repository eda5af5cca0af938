import { makeWords } from "../../../lib/i18n/words.ts";
import { commandsWords as ru } from "./commands-words-ru.ts";

export const useCommandsWords = makeWords(ru, () =>
  import("./commands-words-en.ts").then(({ commandsWords }) => commandsWords),
);
