import type { dormantWords as ru } from "./dormant-words-ru.ts";

export const dormantWords: typeof ru = {
  why: (day) =>
    `Not connected for a long time. Its key and address are kept until ${day}, and the file stays the same.`,
  soon: (day) => `Not connected for a long time. On ${day} it is switched off. Connect to keep it.`,
  until: (day) => `Works until ${day}.`,
  ended: (day, kept) =>
    `It worked until ${day}. Its key and address are kept until ${kept}, and the file stays the same.`,
  byStaff: "An admin set this. Write to support to change it.",
  wake: "Switch on again",
  wakeOf: (name) => `Switch on again: ${name}`,
  week: "Switch on for a week",
  weekOf: (name) => `Switch on for a week: ${name}`,
  waking: "Switching on...",
  done: (name) => `${name} is switched on again`,
  failed: "The device could not be switched on",
  field: "Works until",
  fieldHint: "For guests: at the end of this day by the club's clock the device is switched off. Empty: no end.",
  saved: (name) => `${name}: end date saved`,
  undo: "Undo",
  undoFailed: "The end date could not be restored",
  undone: (name) => `${name}: as it was`,
};
