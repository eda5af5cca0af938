import { counter } from "@krug/domain/plural";
import type { AmneziaFault } from "@krug/wireguard/amneziawg";

const devices = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });

/** AmneziaWG interfaces: how to create and change them and to replace their parameters. */
export const amneziawg = {
  type: "Вид туннеля",
  wireguard: "WireGuard",
  amneziawg: "AmneziaWG",
  wireguardLead: "Быстрый и простой. Там, где его блокируют, не подключится.",
  amneziawgLead: "Проходит там, где обычный WireGuard блокируют. Участникам нужно приложение AmneziaWG или AmneziaVPN.",
  named: (version: string) => `AmneziaWG ${version}`,
  preset: "На что похож",
  presets: {
    dns: "На ответы DNS",
    ordinary: "Ни на что не похож",
    mobile: "Для мобильных операторов",
    quic: "На QUIC",
  },
  presetHints: {
    dns: "Перед рукопожатием идёт пакет, похожий на ответ DNS. С него лучше начать.",
    ordinary: "Пакеты без узнаваемых признаков, ничего не изображают.",
    mobile: "Меньше и короче пакеты перед рукопожатием: мобильные сети обрывают длинные серии.",
    quic: "Начинается как соединение QUIC. Код для телефона получается крупным, удобнее файл.",
  },
  version: "Версия",
  versions: { "3.1": "3.1, скрывает лучше", "2.0": "2.0, для старых приложений" },
  versionHint: "Приложения старее указанных не подключатся:",
  lacks: "На этом сервере AmneziaWG не запустится",
  module: (version: string) => `На сервере загружен модуль ядра amneziawg ${version}. Панель его не использует.`,
  later:
    "Отдельные параметры можно изменить потом, пока у интерфейса нет устройств: «Изменить», «Параметры AmneziaWG».",
  parameters: "Параметры AmneziaWG",
  parametersLead:
    "Отмеченные знаком ⇄ должны совпадать на сервере и устройствах. Остальные меняются без последствий для связи.",
  shared: "должно совпадать на устройствах",
  groups: {
    junk: "Мусор перед рукопожатием",
    sizes: "Добавка к размеру пакетов, байт",
    headers: "Типы пакетов",
    chains: "Пакеты-маскировка",
    times: "Сроки, секунды, и добавка к данным",
    rest: "Ещё",
  },
  fields: {
    Jc: "сколько пакетов",
    Jmin: "не короче, байт",
    Jmax: "не длиннее, байт",
    S1: "запрос рукопожатия",
    S2: "ответ на него",
    S3: "ответ под нагрузкой",
    S4: "данные",
    H1: "запрос рукопожатия",
    H2: "ответ на него",
    H3: "ответ под нагрузкой",
    H4: "данные",
    I1: "первый",
    I2: "второй",
    I3: "третий",
    I4: "четвёртый",
    I5: "пятый",
    ContentPaddingAddition: "случайная добавка к данным, байт",
    RekeyAfterTime: "новые ключи через",
    RekeyTimeout: "повтор рукопожатия через",
    RejectAfterTime: "старые ключи не действуют через",
    KeepaliveTimeout: "ответ на тишину через",
    MaxHandshakeAttempts: "попыток рукопожатия, не секунды",
    RandomTrailers: "случайный хвост у рукопожатий, on или off",
    DisableCookies: "без защиты от перегрузки, on или off",
  } as Record<string, string>,
  faults: {
    not_in_version: ({ field }) => `${field}: нет в этой версии`,
    not_a_value: ({ field }) => `${field}: записан неверно`,
    too_small: ({ field, limit }) => `${field}: меньше ${limit}`,
    too_large: ({ field, limit }) =>
      field === "S4" ? "S4: с этим MTU пакеты не помещаются в сеть целиком" : `${field}: больше ${limit}`,
    below_other: ({ field, other }) => `${field}: должен быть больше, чем ${other}`,
    same_size_as_other: ({ field, other }) => `${other} и ${field}: у двух сообщений один размер`,
    differs_from_other: ({ field, other }) => `${field}: при RandomTrailers должен равняться ${other}`,
    overlaps_other: ({ field, other }) => `${other} и ${field}: пересекаются`,
    not_one_value: ({ field }) => `${field}: при RandomTrailers должен быть одним числом`,
    too_long_together: ({ limit }) => `I1-I5: вместе длиннее ${limit} знаков`,
    missing: ({ field }) => `${field}: не задан`,
  } satisfies Record<AmneziaFault["reason"], (fault: AmneziaFault) => string>,
  wrong: "Исправьте параметры AmneziaWG",
  silences: (count: number) => `Связь потеряют: ${devices(count)}`,
  silencesMore:
    "С прежним файлом они не подключатся, пока не получат новый. Чтобы никого не отключать, закройте форму и выберите «Новые параметры».",
  rotate: {
    action: "Новые параметры",
    toAmneziawg: "Перевести на AmneziaWG",
    title: (name: string) => `Новые параметры: ${name}`,
    lead: "Рядом появится второй интерфейс на свободном порту, устройства переедут на него. Никто не отключится: прежний интерфейс работает, пока устройство не подключится по новому файлу.",
    port: "Откройте новый порт у провайдера, если там есть межсетевой экран.",
    told: (count: number) => `Участники получат уведомление и новый файл. Переедут: ${devices(count)}.`,
    stay: (count: number) =>
      `${devices(count)} останется на прежнем интерфейсе: ключ есть только в браузере владельца. Пока оно там, интерфейс не исчезнет.`,
    days: "Сколько дней ждать",
    daysHint: "Прежний интерфейс исчезнет, когда переедут все, и не позже этого срока.",
    daysWrong: "От 1 до 60",
    submit: "Начать",
    working: "Поднимаем второй интерфейс...",
    begun: (name: string) => `Устройства переезжают: ${name}`,
    failed: "Не получилось начать",
    loading: "Загрузка...",
    planFailed: "Не получилось узнать, что переедет",
    goes: (left: number, at: string) =>
      left === 0
        ? `Прежний интерфейс исчезнет, самое позднее ${at}.`
        : `На прежних параметрах: ${devices(left)}. Интерфейс исчезнет ${at} или раньше.`,
    whoMoves: "Кто ещё не переехал",
  },
};
