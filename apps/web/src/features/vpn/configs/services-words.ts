import { makeWords } from "../../../lib/i18n/words.ts";
import { servicesWords as ru } from "./services-words-ru.ts";

export const useServicesWords = makeWords(ru, () =>
  import("./services-words-en.ts").then(({ servicesWords }) => servicesWords),
);
