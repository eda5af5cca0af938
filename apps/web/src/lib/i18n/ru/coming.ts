/** While the code of something that was opened is on its way, and why it does not come. */
export const coming = {
  soon: "Открываем...",
  silent: "Нет связи. Откроется, как только она появится.",
  gone: "Панель обновилась. Обновите страницу, чтобы продолжить.",
  reload: "Обновить",
  failed: "Не открылось: что-то пошло не так. Данные на месте.",
};
