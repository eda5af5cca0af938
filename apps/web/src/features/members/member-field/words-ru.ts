export const memberField = {
  nothing: "Никого не нашлось",
  searching: "Ищем...",
  failed: "Ошибка при загрузке пользователей",
  matches: "Найденные участники",
  more: "Показаны не все. Уточните имя.",
};
