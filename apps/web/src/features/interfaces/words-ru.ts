import { counter } from "../../lib/i18n/plural.ts";

const configs = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });
const devices = counter("ru", { one: "устройстве", few: "устройствах", many: "устройствах", other: "устройства" });
const members = counter("ru", { one: "участнику", few: "участникам", many: "участникам", other: "участника" });

/** WireGuard interfaces of a server. */
export const interfaces = {
  list: {
    label: "Интерфейсы сервера",
    server: "Сервер",
    create: "Создать интерфейс",
    name: "Название",
    interfaceName: "Интерфейс",
    port: "Порт",
    subnet: "Подсеть",
    configs: "Конфиги",
    configsOf: (count: number, capacity: number) => `${count} из ${capacity}`,
    assigned: "Назначен",
    state: "Состояние",
    nobody: "всем",
    assignedTo: members,
    none: "На этом сервере нет интерфейсов. Пока их нет, конфиги создавать негде.",
    noServers: "Серверов пока нет",
    noServersLead: "Интерфейсы появятся, когда сервером станет хотя бы один компьютер.",
    failed: "Ошибка при загрузке интерфейса",
    file: "krug-interfaces",
    endpoint: "Адрес подключения",
    mtu: "MTU",
  },
  states: {
    on: "Работает",
    off: "Выключен",
    conflict: "Не поднялся",
    waiting: "Ждёт сервер",
    unreachable: "Недоступен",
  },
  runsLow: (free: number) => (free === 0 ? "нет свободных адресов" : `осталось адресов: ${free}`),
  /** What the panel's own handshake with it told. `since`: '12:40', or with the day before. */
  probe: {
    none: "ещё не проверен, проверяем раз в минуту",
    answers: (since: string) => `отвечает снаружи с ${since}`,
    inside: (since: string) => `отвечает с ${since}, проверено только изнутри`,
    closed: (port: number, since: string) =>
      `Снаружи не отвечает с ${since}: UDP-порт ${port} закрыт межсетевым экраном или провайдером. Откройте его и на сервере, и у провайдера.`,
    closedInside: (port: number, since: string) =>
      `Не отвечает с ${since} даже изнутри: UDP-порт ${port} закрывает межсетевой экран этой машины. Откройте его там.`,
    notRunning: (port: number, since: string) =>
      `Не отвечает с ${since}: UDP-порт ${port} никто не слушает. Панель поднимет туннель сама; если он запущен, его закрывает межсетевой экран.`,
    unresolved: (since: string) => `С ${since} имя в адресе подключения не находится в DNS. Проверьте его.`,
    untried: (since: string) => `С ${since} проверить нельзя: у панели нет пути к этому адресу или не отвечает её DNS.`,
    away: (since: string) => `Не отвечает с ${since}, как и сам сервер.`,
  },
  conflictMore: (reason: string) => `Сервер не смог его поднять: ${reason}`,
  actions: {
    rename: "Переименовать",
    edit: "Изменить",
    assign: "Назначить участнику",
    remove: "Удалить",
  },
  rename: {
    field: (name: string) => `Новое название: ${name}`,
    confirm: "Сохранить название",
    cancel: "Не менять название",
    done: (name: string) => `Теперь называется: ${name}`,
    empty: "Название не может быть пустым",
  },
  create: {
    title: "Новый интерфейс",
    lead: "Имя, порт и подсеть будут следующими свободными на сервере. Интерфейс сразу заработает.",
    name: "Название (можно не указывать)",
    submit: "Создать",
    working: "Создание...",
    done: (name: string) => `${name}: создан`,
    notUp: (name: string) => `${name}: создан, но пока не поднялся`,
  },
  edit: {
    title: (name: string) => `Изменить: ${name}`,
    name: "Название",
    nameEmpty: "Название не может быть пустым",
    port: "Порт UDP",
    portWrong: "Целое число от 1 до 65535",
    subnet: "Подсеть",
    subnetHint: "Частная сеть IPv4 от /16 до /29. После первого конфига её уже не изменить.",
    subnetFixed: (count: number) => `Подсеть не изменить: в ней ${configs(count)}.`,
    subnetWrong: "Частная сеть IPv4 от /16 до /29, например 10.8.3.0/24",
    endpoint: "Адрес подключения",
    endpointHint: (address: string | null) =>
      address === null
        ? "Имя или IP-адрес без порта."
        : `Имя или IP-адрес без порта. Пусто: как у сервера, ${address}.`,
    endpointWrong: "Имя или IP-адрес без порта, например vpn.example.org",
    mtu: "MTU",
    mtuHint: "Пусто: 1420, подходит почти всем.",
    mtuWrong: "Целое число от 1280 до 1500",
    active: "Интерфейс работает",
    activeHint: "Выключенный уходит с сервера, конфиги и адреса на нём сохраняются.",
    download: (count: number) => `Файл устареет на ${devices(count)}`,
    downloadMore: "Владельцы увидят «Скачайте заново».",
    downloadPort: "Со старым файлом они не подключатся. Владельцы увидят «Скачайте заново».",
    cut: (count: number) => `Сразу отключится: ${configs(count)}`,
    cutMore: "Вернутся, когда интерфейс снова включат.",
    save: "Сохранить",
    saving: "Сохранение...",
    saved: "Сохранено",
    nothingChanged: "Ничего не изменено",
    conflict: "Пока вы редактировали, интерфейс изменил другой сотрудник",
    conflictMore: "Ваши значения остались в форме. Сохраните ещё раз, чтобы заменить ими новые.",
    changedTo: (field: string, value: string) => `${field}: ${value}`,
    byDefault: "по умолчанию",
    yes: "да",
    no: "нет",
  },
  remove: {
    title: (name: string) => `Удалить: ${name}?`,
    empty: "На нём нет конфигов. Порт и подсеть освободятся.",
    lead: "Вернуть интерфейс будет нельзя. Сразу пропадут:",
    configs: (count: number) => `${configs(count)} вместе с ключами: эти устройства отключатся`,
    assigned: (count: number) => `назначения ${members(count)}`,
    type: (name: string) => `Чтобы удалить, введите название: ${name}`,
    changed: (count: number) =>
      `Пока вы читали, их стало другое число: теперь ${configs(count)}. Проверьте и подтвердите ещё раз.`,
    confirm: "Удалить",
    confirmForever: "Удалить навсегда",
    working: "Удаление...",
    done: (name: string) => `${name}: удалён`,
  },
  failures: {
    create: "Ошибка при создании интерфейса",
    update: "Ошибка при обновлении интерфейса",
    remove: "Ошибка при удалении интерфейса",
    assign: "Ошибка при назначении интерфейса",
  },
};
