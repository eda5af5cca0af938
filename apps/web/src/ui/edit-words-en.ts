export const edit = {
  save: "Save",
  saving: "Saving...",
  saved: "Saved",
  nothingChanged: "Nothing was changed",
  conflictMore: "Your values are still in the form. Save again to replace the new ones with them.",
  yes: "yes",
  no: "no",
};
