import type { notes as ru } from "./words-ru.ts";

export const notes: typeof ru = {
  title: "Notes",
  lead: "Only staff see them.",
  none: "No notes.",
  field: "New note",
  placeholder: "What helps those who will answer this member",
  add: "Add",
  adding: "Saving...",
  addFailed: "The note could not be saved",
  failed: "The notes could not be loaded",
  someone: "Staff",
  remove: "Delete the note",
  removeAsk: "Delete the note?",
  removeText: "It goes for everybody and cannot be brought back.",
  removeConfirm: "Delete",
  removing: "Deleting...",
  removeFailed: "The note could not be deleted",
  left: (letters: number) => `Characters left: ${letters}`,
};
