/** Shown while the code of something that was opened loads, or why it does not load. */
export const coming = {
  soon: "Открываем...",
  silent: "Нет связи. Откроется, как только она появится.",
  gone: "Панель обновилась. Обновите страницу, чтобы продолжить.",
  reload: "Обновить",
  failed: "Не открылось: что-то пошло не так. Данные на месте.",
};
