import { counter } from "@krug/domain/plural";

const addresses = counter("ru", { one: "адрес", few: "адреса", many: "адресов", other: "адреса" });

const rulesOf = counter("ru", { one: "правило", few: "правила", many: "правил", other: "правила" });

/** Access rules: what members reach through the tunnel. */
export const rules = {
  title: "Правила доступа",
  add: "Добавить правило",
  search: "Найти правило",
  choose: "Какой список показать",
  lists: { blacklist: "Чёрный список", whitelist: "Белый список" },
  leads: {
    blacklist: "Через VPN не откроется.",
    whitelist: "Исключения: откроется, даже если запрещено.",
  },
  empty: { blacklist: "В чёрном списке нет правил", whitelist: "В белом списке нет правил" },
  nothing: "По этому запросу правил нет",
  failed: "Не получилось загрузить правила",
  more: "Показать ещё",
  all: "все участники",
  selected: "выбранные участники",
  groupNamed: (name: string) => `группа «${name}»`,
  remove: (target: string) => `Удалить правило: ${target}`,
  domain: {
    found: (first: string, count: number, age: string) =>
      `${count === 1 ? first : `${first} и ещё ${addresses(count - 1)}`}, проверено ${age}`,
    unfound: "Домен не найден: правило пока не действует",
    unasked: "Адреса узнать не удалось: правило пока не действует",
    failing: (since: string, count: number) =>
      `Домен перестал находиться ${since}. Пока действует найденное раньше: ${addresses(count)}`,
    show: (name: string) => `Адреса домена ${name}`,
  },
  form: {
    title: "Новое правило",
    type: "Тип",
    target: "Адрес, сеть или домен",
    targetHint: "Например, 203.0.113.7, 203.0.113.0/24 или example.org",
    domainHint:
      "Правило действует на IP-адреса домена: на них могут быть и другие сайты. Поддомены добавляются отдельно.",
    wide: "Это большая часть интернета. Исключения для нужных адресов лучше добавить заранее.",
    appliesTo: "Для кого",
    all: "Все участники",
    group: "Группа",
    groupHint: "Кто войдёт в группу или выйдет из неё, для того правило сразу начнёт или перестанет действовать.",
    selected: "Выбранные",
    member: "Имя или логин участника",
    noneChosen: "Пока никто не выбран",
    unpick: (name: string) => `Убрать: ${name}`,
    create: "Создать",
    working: "Сохранение...",
    several: (count: number) => `Получится ${rulesOf(count)}`,
    wrong: (item: string) => `«${item}» — не адрес, не сеть и не домен`,
    andMore: (count: number) => `и ещё ${count}`,
    tooMany: (count: number, most: number) => `За раз можно добавить не больше ${most}, а здесь ${count}`,
    done: (target: string) => `Правило добавлено: ${target}`,
    doneSeveral: (count: number) => `Добавлено: ${rulesOf(count)}`,
    failed: "Ошибка при добавлении правила",
  },
  removal: {
    title: "Удалить правило?",
    blacklist: (target: string) => `${target}: запрет снимется сразу.`,
    whitelist: (target: string) => `${target}: исключение пропадёт сразу, запреты начнут действовать.`,
    confirm: "Удалить",
    working: "Удаление...",
    done: (target: string) => `Правило удалено: ${target}`,
    failed: "Ошибка при удалении правила",
  },
  members: {
    nothing: "Никого не нашлось",
    title: (target: string) => `Для кого: ${target}`,
    failed: "Ошибка при загрузке пользователей",
    loading: "Загрузка...",
  },
  addresses: {
    title: (name: string) => `Адреса: ${name}`,
    lead: "Адреса обновляются каждые 5 минут.",
    none: "Пока не найдено ни одного.",
  },
  servers: {
    title: "Где действуют",
    inForce: "в силе",
    pending: "ожидает применения",
    since: (age: string) => `применены ${age}`,
    none: "Серверов пока нет: правила применятся, когда появится первый.",
    failed: "Не получилось узнать состояние серверов",
  },
  check: {
    title: "Проверить доступ",
    lead: "Откроется ли адрес у участника через VPN и что это решает.",
    member: "Участник",
    memberMissing: "Выберите участника из списка",
    place: "Адрес или домен",
    placeHint: "Можно с портом: mail.example.org:25",
    placeMissing: "Укажите адрес или домен",
    submit: "Проверить",
    working: "Проверка...",
    failed: "Не получилось проверить",
    verdicts: {
      reaches: (who: string, where: string) => `${who} откроет ${where}`,
      partly: (who: string, where: string) => `${who} откроет ${where} не всегда`,
      closed: (who: string, where: string) => `${who} не откроет ${where}`,
    },
    obstacles: {
      blocked: "Аккаунт заблокирован: VPN отключён.",
      quota: "Трафик на этот месяц израсходован: VPN отключён.",
      expired: "Подписка истекла: VPN отключён.",
      none: "Подписки нет: VPN отключён.",
      no_devices: "Нет ни одного конфига.",
      devices_off: "Все конфиги заблокированы, или их интерфейс выключен.",
      not_applied: "Конфиги ещё ждут применения на сервере.",
    },
    unresolved: {
      not_found: "Домен не найден.",
      unavailable: "Адреса домена узнать не удалось. Попробуйте ещё раз.",
    },
    lastKnown: "Домен сейчас не находится, проверены последние известные адреса.",
    by: {
      default: "Правил об этом нет.",
      closed_port: "Порт закрыт для всех.",
      no_ipv6: "В туннеле нет IPv6.",
      routing: "Сервер этого не выпускает.",
      exit_down: "Трафик ждёт свой выход.",
    },
    instead: {
      wait: () => ", трафик ждёт",
      direct: () => ", пока напрямую с сервера",
      other: (exit: string) => `, пока через «${exit}»`,
    },
    exits: {
      direct: (target: string, device: string, service: string | null) =>
        `${target} → напрямую с сервера. ${device}: ${service === null ? "как остальной трафик" : `сервис «${service}»`}.`,
      closed: (target: string, device: string, service: string | null) =>
        `${target} → закрыто. ${device}: ${service === null ? "как весь трафик, кроме выбранных сервисов" : `сервис «${service}»`}.`,
      server: (target: string, device: string, service: string | null, exitNow: string) =>
        `${target} → ${exitNow}. ${device}: ${service === null ? "как остальной трафик" : `сервис «${service}»`}.`,
    },
    rule: {
      blacklist: (target: string, whom: string) => `Чёрный список: ${target}, ${whom}.`,
      whitelist: (target: string, whom: string) => `Белый список: ${target}, ${whom}.`,
    },
    closed: {
      members: "Сеть других участников, закрыта для всех.",
      private: "Частная сеть, закрыта для всех.",
      loopback: "Адрес самого сервера, закрыт для всех.",
      link_local: "Служебный адрес сервера, закрыт для всех.",
      special: "Служебная сеть, закрыта для всех.",
    },
    beside: (devices: string) => `Мимо VPN, без правил: ${devices}. В сервисах этих устройств такого адреса нет.`,
    moreAddresses: (count: number) => `и ещё ${addresses(count)}`,
    opens: "откроется",
    opensNot: "не откроется",
  },
};
