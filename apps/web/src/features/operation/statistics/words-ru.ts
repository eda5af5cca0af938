import { counter, countText } from "@krug/domain/plural";

const long = (count: number) => countText("ru", count);
const configs = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });
const ofConfigs = counter("ru", { one: "конфига", few: "конфигов", many: "конфигов", other: "конфига" });

/** How the club's VPN is used. */
export const statistics = {
  span: "За какое время",
  day: "Сутки",
  month: "Месяц",
  year: "Год",
  custom: "Период",
  from: "С какого дня",
  to: "По какой день",
  show: "Показать",
  datesMissing: "Укажите обе даты",
  backwards: "Первый день позже последнего",
  during: {
    day: "за 24 часа",
    month: "за 30 дней",
    year: "за 12 месяцев",
    custom: (from: string, to: string) => (from === to ? `за ${from}` : `с ${from} по ${to}`),
  },
  zone: (zone: string) => `Часы и дни по времени клуба: ${zone}. Трафик удалённых конфигов тоже учтён.`,
  failed: "Ошибка при загрузке данных. Пожалуйста, попробуйте позже.",
  loading: "Загрузка...",
  tiles: {
    label: "Сейчас",
    online: "На связи",
    /** While the panel is silent. */
    wasOnline: "Были на связи",
    onlineOf: (count: number) => `из ${ofConfigs(count)}`,
    received: "Получено",
    sent: (size: string) => `отправлено ${size}`,
    fresh: "Новые конфиги",
    freshIn: "за 7 дней",
    pending: "Ждут применения",
    nonePending: "всё применено",
    serverAway: "сервер не отвечает",
    soon: "применяются",
  },
  chart: {
    /** After the name of a step. */
    running: " (ещё идёт)",
    title: { hour: "Трафик по часам", day: "Трафик по дням", month: "Трафик по месяцам" },
    received: "получено",
    sent: "отправлено",
    table: "Показать таблицей",
    hideTable: "Скрыть таблицу",
    figures: "Трафик в цифрах",
    step: { hour: "Час", day: "День", month: "Месяц" },
    total: "Всего",
    empty: "За это время трафика не было.",
    file: "krug-traffic",
  },
  online: {
    title: "Сейчас на связи",
    titleBefore: "Были на связи",
    nobody: "Сейчас никого нет на связи.",
    nobodyBefore: "Никого не было на связи.",
    all: (count: number) => `Все ${long(count)}`,
  },
  top: {
    members: "Больше всех",
    membersNote: "По всем устройствам участника вместе.",
    services: "Сервисы",
    servicesNote:
      "Трафик конфигов, в которые входит сервис. Конфиг с несколькими сервисами учтён в каждом из них, поэтому сумма больше общей.",
    interfaces: "Интерфейсы",
    servers: "Серверы",
    devices: "Устройства",
    phone: "Телефоны",
    computer: "Компьютеры",
    nothing: "За это время трафика не было.",
    configs,
    more: (received: string, sent: string) => `получено ${received}, отправлено ${sent}`,
    csv: (title: string) => `Скачать CSV: ${title}`,
    name: "Название",
    login: "Логин",
    configCount: "Конфиги",
    received: "Получено, байт",
    sent: "Отправлено, байт",
  },
  servers: {
    title: "Состояние серверов",
    online: (count: number) => `${long(count)} на связи`,
    wasOnline: (count: number) => `были на связи: ${long(count)}`,
    pending: (count: number) => `${long(count)} ждут`,
    away: (age: string) => `не отвечает, ${age}`,
    unknown: { pending: "ещё не проверен", error: "не отвечает", silent: "давно нет вестей" },
  },
};
