import type { dormantWords as ru } from "./dormant-words-ru.ts";

export const dormantWords: typeof ru = {
  why: (day) =>
    `Not connected for a long time. Its key and address are kept until ${day}, and the file stays the same.`,
  wake: "Switch on again",
  wakeOf: (name) => `Switch on again: ${name}`,
  waking: "Switching on...",
  done: (name) => `${name} is switched on again`,
  failed: "The device could not be switched on",
};
