import { counter } from "@krug/domain/plural";

/** Adding a device without typing, changing one, and what is known of a server. Loaded with their dialogs. */
export const newDevice = {
  wholeInternet: "Выбранное вместе — весь интернет: через VPN пойдёт всё, что делает устройство.",
  lead: "Всё уже выбрано. Создайте конфиг, и покажем следующий шаг.",
  open: "Настроить самому",
  /** What was typed before the dialog was closed. */
  goOn: "Продолжить начатое",
  missing: (what: string) => `Осталось указать: ${what}`,
  name: "имя",
  services: "сервисы",
  dns: "DNS",
  server: "интерфейс сервера",
};

const devices = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });

/** Among many devices. */
export const find = {
  label: "Найти устройство по имени",
  none: "Устройства с таким именем нет",
  found: (count: number) => `Нашлось: ${devices(count)}`,
};

/** A file that the phone could only save: the import menu entry in each system's app. */
export const saved = {
  where: {
    ios: (file: string) => `${file} сохранён на телефоне. Осталось показать его приложению:`,
    android: (file: string) => `${file} сохранён в загрузках. Осталось показать его приложению:`,
  },
  steps: {
    ios: [
      "Откройте WireGuard и нажмите «+»",
      "«Создать из файла или архива», и выберите этот файл",
      "Включите туннель",
    ],
    android: [
      "Откройте WireGuard и нажмите «+»",
      "«Импорт из файла или архива», и выберите этот файл",
      "Включите туннель",
    ],
  },
};

/** When the page is open on the phone that the config is for. */
export const thisPhone = {
  install: "Установить WireGuard",
  hasApp: "Уже установлен",
  save: "Скачать файл для WireGuard",
  again: "Скачать ещё раз",
};

/** In the instructions: a phone can't scan its own screen. */
export const samePhone = {
  ios: "Настраиваете этот же телефон? На карточке нажмите «Скачать», а в приложении «+», затем «Создать из файла или архива».",
  android:
    "Настраиваете этот же телефон? На карточке нажмите «Скачать», а в приложении «+», затем «Импорт из файла или архива».",
};

export const editDevice = {
  title: (name: string) => `Изменить ${name}`,
  lead: "Ключ и трафик устройства останутся прежними.",
  routed: "Сервисы переключает сам сервер: новый файл не понадобится.",
  moves:
    "Устройство переедет: понадобится новый файл. Старый работает, пока оно не подключится по новому, но не дольше суток.",
  save: "Сохранить",
  saving: "Сохранение...",
  saved: (name: string) => `${name}: сохранено`,
  failed: "Не получилось изменить конфиг",
  listsFailed: "Не получилось загрузить сервисы, DNS и серверы",
  fileTitle: "Обновите файл на устройстве",
  fileLead: "Сохранено. Пока на устройстве старый файл, оно работает по-старому.",
  movedLead: (time: string, day: string) =>
    `Устройство переезжает. Старый файл работает, пока оно не подключится по новому, но не дольше чем до ${time} ${day}.`,
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

/** The page behind a link that staff give out to hand over a config. */
export const handed = {
  leaveText: "По ссылке файл открывается один раз. Если закрыть сейчас, администратору придётся прислать новую ссылку.",
  title: "Ваш конфиг готов",
  lead: "Администратор клуба сделал его для вас. Откройте его на том устройстве, где сможете сохранить файл: ссылка работает один раз.",
  open: "Открыть конфиг",
  opening: "Открываем...",
  failed: "Не получилось открыть конфиг",
  noToken: "В адресе нет ключа. Откройте ссылку, которую вам прислали, целиком.",
  usedHint: "Ссылка действует 24 часа и один раз. Попросите администратора прислать новую.",
  once: "Сохраните файл или отсканируйте код сейчас: второй раз ссылка не откроется.",
};

/** A device that needs an app for AmneziaWG. */
export const amnezia = {
  need: "Нужно приложение AmneziaWG или AmneziaVPN: обычный WireGuard этот файл не откроет.",
  newEnough: "Подойдёт указанная версия или новее: в более старой туннель добавится, но не подключится.",
  get: (app: string, system: string, since: string) => `${app} для ${system}, от ${since}`,
  phoneSteps: ["Установите AmneziaWG или AmneziaVPN", "Откройте в нём файл конфига", "Включите туннель"],
  computerSteps: [
    "Установите AmneziaWG или AmneziaVPN",
    "Скачайте конфиг и откройте его в приложении",
    "Включите туннель",
  ],
  linux: "Linux",
  router: "роутера",
  orLink: "В AmneziaVPN вместо файла можно вставить ссылку. В ней ключ устройства: никому её не показывайте.",
  makeLink: "Получить ссылку",
  openLink: "Открыть в AmneziaVPN",
  copyLink: "Скопировать ссылку",
  linkFailed: "Не получилось получить ссылку",
};

/** A device moves to an interface with another kind of tunnel. */
export const otherWay = {
  title: "Другой способ подключения",
  toAmneziawg:
    "Если сеть блокирует VPN, переведите устройство на AmneziaWG: такой туннель распознать труднее. Понадобятся другое приложение и новый файл.",
  toWireguard: "Можно перевести устройство на обычный WireGuard. Понадобятся его приложение и новый файл.",
  stays: "Прежний файл работает, пока устройство не подключится по-новому, но не дольше двух недель.",
  blocked: "Похоже, сеть блокирует",
  blockedMore: "Подключения нет уже минуту. AmneziaWG распознать труднее: понадобятся его приложение и новый файл.",
  try: "Попробовать другой способ",
  take: (app: string) => `Перейти на ${app}`,
  working: "Переводим...",
  failed: "Не получилось перевести устройство",
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

/** The line above the cards while servers are down. */
export const weather = {
  title: (names: readonly string[], time: string) =>
    `${names.join(", ")} не ${names.length === 1 ? "отвечает" : "отвечают"} с\u00a0${time}, чиним`,
  more: "Делать ничего не нужно: устройства подключатся сами.",
};
