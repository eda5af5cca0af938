import { makeWords } from "../../../lib/i18n/words.ts";
import { alarms as ru } from "./alarms-words-ru.ts";

export const useAlarmsWords = makeWords(ru, () => import("./alarms-words-en.ts").then(({ alarms }) => alarms));
