import { makeWords } from "../../../lib/i18n/words.ts";
import { deviceCheck as ru } from "./device-check-words-ru.ts";

export const useDeviceCheckWords = makeWords(ru, () =>
  import("./device-check-words-en.ts").then(({ deviceCheck }) => deviceCheck),
);
