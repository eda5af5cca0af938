import { makeWords } from "../../../lib/i18n/words.ts";
import { handOver as ru } from "./hand-over-words-ru.ts";

export const useHandOverWords = makeWords(ru, () => import("./hand-over-words-en.ts").then(({ handOver }) => handOver));
