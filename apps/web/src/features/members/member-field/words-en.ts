import type { memberField as ru } from "./words-ru.ts";

export const memberField: typeof ru = {
  nothing: "Nobody found",
  searching: "Searching...",
  failed: "Error loading users",
  matches: "Users found",
  more: "Not all are shown. Type more of the name.",
};
