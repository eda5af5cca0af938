import { speed as ru } from "./ru/speed.ts";
import { makeWords } from "./words.ts";

export const useSpeedWords = makeWords(ru, () => import("./en/speed.ts").then(({ speed }) => speed));
