import type { notes as ru } from "./words-ru.ts";

export const notes: typeof ru = {
  title: "Notes",
  lead: "Only staff see them.",
  none: "No notes.",
  field: "New note",
  placeholder: "Anything that helps whoever answers this member",
  add: "Add",
  adding: "Saving...",
  addFailed: "The note could not be saved",
  failed: "The notes could not be loaded",
  someone: "Staff",
  remove: "Delete the note",
  removeAsk: "Delete the note?",
  removeText: "It disappears for everybody and cannot be restored.",
  removeConfirm: "Delete",
  removing: "Deleting...",
  removeFailed: "The note could not be deleted",
  left: (letters: number) => `Characters left: ${letters}`,
};
