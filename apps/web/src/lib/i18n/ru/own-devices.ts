/** A first device without typing, changing one, and what is known of a server; loaded with their dialogs. */
export const firstDevice = {
  lead: "Всё уже выбрано. Создайте конфиг, и покажем следующий шаг.",
  open: "Настроить самому",
};

export const editDevice = {
  title: (name: string) => `Изменить ${name}`,
  lead: "Ключ и адрес останутся прежними.",
  save: "Сохранить",
  saving: "Сохранение...",
  saved: (name: string) => `${name}: сохранено`,
  failed: "Не получилось изменить конфиг",
  listsFailed: "Не получилось загрузить сервисы и DNS",
  fileTitle: "Обновите файл на устройстве",
  fileLead: "Сохранено. Пока на устройстве старый файл, оно работает по-старому.",
  remove: (name: string) => `Удалите в WireGuard туннель ${name}`,
  byCode: "Отсканируйте новый код",
  byFile: "Откройте в WireGuard новый файл",
  turnOn: "Включите туннель",
  linesLead: "Сохранено. Ключ есть только на устройстве, поэтому новый файл целиком панель дать не может.",
  linesDo: "Откройте туннель в WireGuard на устройстве и замените в нём эти строки:",
  copy: "Скопировать",
  orKey: "Или замените ключ: тогда будет новый файл, а старый сразу перестанет работать.",
  done: "Готово",
};

export const serverStates = {
  answers: "отвечает",
  busy: "почти заполнен",
  silent: "не отвечает",
  more: {
    answers: "сервер отвечает",
    busy: "сервер отвечает, но места на интерфейсе почти заняты",
    silent: "сервер сейчас не отвечает: конфиг заработает, когда он вернётся",
  },
};
