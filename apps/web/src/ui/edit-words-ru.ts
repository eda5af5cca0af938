/** What every form of a change says. */
export const edit = {
  save: "Сохранить",
  saving: "Сохранение...",
  saved: "Сохранено",
  nothingChanged: "Ничего не изменено",
  conflictMore: "Ваши значения остались в форме. Сохраните ещё раз, чтобы заменить ими новые.",
  yes: "да",
  no: "нет",
};
