import { counter } from "@krug/domain/plural";
import { type Extra, percent } from "./extra.ts";

const ofCharacters = counter("ru", { one: "знака", few: "знаков", many: "знаков", other: "знака" });
const configs = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });
const inConfigs = counter("ru", { one: "конфиге", few: "конфигах", many: "конфигах", other: "конфига" });
const devices = counter("ru", { one: "устройстве", few: "устройствах", many: "устройствах", other: "устройства" });
const addresses = counter("ru", { one: "адрес", few: "адреса", many: "адресов", other: "адреса" });
const networks = counter("ru", { one: "сеть", few: "сети", many: "сетей", other: "сети" });
const times = counter("ru", { one: "раз", few: "раза", many: "раз", other: "раза" });
const foreign = counter("ru", {
  one: "чужой адрес",
  few: "чужих адреса",
  many: "чужих адресов",
  other: "чужого адреса",
});
const phones = counter("ru", {
  one: "телефонном конфиге",
  few: "телефонных конфигах",
  many: "телефонных конфигах",
  other: "телефонного конфига",
});

/** Services and DNS entries as staff see and change them. */
export const catalog = {
  services: "Сервисы",
  servicesLead: "Чей трафик идёт через VPN. Участники выбирают их при создании конфига.",
  dns: "DNS",
  dnsLead: "Кто отвечает за имена сайтов на устройстве.",
  addService: "Добавить сервис",
  addDns: "Добавить DNS",
  add: "Добавить",
  search: "Название или адрес",
  nothing: "Ничего не нашлось",
  nothingLead: "Попробуйте другое название, адрес или сеть.",
  clear: "Показать все",
  noServices: "Сервисов нет. Без них участники не создадут конфиг.",
  noDns: "Записей DNS нет. Без них участники не создадут конфиг.",
  failed: "Ошибка при загрузке данных. Пожалуйста, попробуйте позже.",
  columns: { name: "Название", addresses: "Адреса", devices: "Устройства", configs: "Конфиги" },
  addresses,
  andMore: (count: number) => `и ещё ${count}`,
  allBut: "Всё, кроме списка",
  isUsed: "Используется",
  used: (count: number) => (count === 0 ? "нигде" : `в ${inConfigs(count)}`),
  overPhone: "Больше, чем помещается на телефон (120)",
  devices: { all: "Все", computer: "Компьютер", phone: "Телефон" },
  actions: { edit: "Изменить", remove: "Удалить" },
  edit: {
    newService: "Новый сервис",
    newDns: "Новая запись DNS",
    title: (name: string) => `Изменить: ${name}`,
    name: "Название",
    nameEmpty: "Название не может быть пустым",
    ips: "IP-адреса и сети через запятую",
    ipsDns: "IP-адреса через запятую",
    scope: "Через VPN идут",
    these: "Эти адреса",
    allBut: "Всё, кроме них",
    rest: (count: number) => `всё остальное — это ${networks(count)}`,
    nothingElse: "Кроме этих адресов ничего нет",
    ipsEmpty: "Укажите хотя бы один адрес",
    tooMany: (count: number, most: number) => `Получилось ${networks(count)}, а может быть не больше ${most}`,
    tooLong: (most: number) => `Слишком длинно: не больше ${ofCharacters(most)}`,
    merged: (count: number) => `сохранится как ${networks(count)}`,
    comments: "комментарии не сохранятся",
    together: (count: number) => `вместе это ${networks(count)}`,
    wrong: {
      service: {
        other: (item: string) => `«${item}» — не IP-адрес и не сеть`,
        name: (item: string) => `«${item}» — имя сайта: сервис состоит из IP-адресов и сетей`,
        as: (item: string) => `«${item}» — номер автономной системы: укажите его в источниках`,
      },
      dns: {
        other: (item: string) => `«${item}» — не IP-адрес`,
        name: (item: string) => `«${item}» — имя, а нужен IP-адрес`,
        as: (item: string) => `«${item}» — не IP-адрес`,
      },
    },
    fit: (count: number) => `Сжать под телефон: ${networks(count)}`,
    fitCost: ({ v4, v6 }: Extra, share: number) =>
      v4 + v6 === 0
        ? "Адреса останутся те же."
        : `Через VPN пойдут ещё ${[...(v4 > 0 ? [foreign(v4)] : []), ...(v6 > 0 ? [`${networks(Math.ceil(v6))} /64 в IPv6`] : [])].join(" и ")}, ${share > 1 ? `больше самого списка в ${times(Math.ceil(share))}` : percent("ru", share)}.`,
    inLine: (line: number, problem: string) => `Строка ${line}: ${problem}`,
    countOf: (count: number) => addresses(count),
    phoneLimit: (most: number) => `на телефон вместе с другими сервисами помещается ${most}`,
    wholeInternet: (written: string) =>
      `Вместе это весь интернет: в файле будет ${written}, и через VPN пойдёт всё, что делает устройство.`,
    sources: "Источники: https-адреса списков, номера AS, страны; каждый с новой строки",
    sourcesMore:
      "Например, https://lists.example/nets.txt, AS13335 или FI. Панель узнаёт их сети раз в день и добавляет к адресам выше.",
    wrongSource: (item: string) => `«${item}» — не https-адрес списка, не номер AS и не страна`,
    tooManySources: (most: number) => `Источников может быть не больше ${most}`,
    devices: "Для каких устройств",
    effect: (count: number) => `Файл устареет на ${devices(count)}`,
    effectMore: "Владельцы увидят «Скачайте заново». Пока не скачают, у них прежние адреса.",
    effectNone: "Ни у кого файл не устареет.",
    effectWaiting: "Считаем, кого это коснётся...",
    effectFailed: "Не получилось посчитать, кого это коснётся",
    phonesOver: (count: number) => `Больше 120 адресов станет в ${phones(count)}`,
    phonesOverMore: "Они останутся работать с пометкой, но на слабом телефоне могут не открыться.",
    save: "Сохранить",
    saving: "Сохранение...",
    saved: (name: string) => `${name}: сохранено`,
    added: (name: string) => `${name}: добавлено`,
    nothingChanged: "Ничего не изменено",
    failed: "Не получилось сохранить",
    conflict: "Пока вы редактировали, запись изменил другой сотрудник",
    conflictMore: "Ваши значения остались в форме. Сохраните ещё раз, чтобы заменить ими новые.",
    now: (name: string, ips: string) => `Сейчас: ${name}, ${ips}`,
  },
  sources: {
    title: "Состояние источников",
    loading: "Загрузка состояния источников...",
    failed: "Не получилось узнать состояние источников",
    fetched: (count: number, age: string) => `${networks(count)}, ${age}`,
    unread: (count: number) => `непонятных строк: ${count}`,
    tried: "Новый список не принят:",
    now: "Обновить сейчас",
    nowFailed: "Не получилось обновить",
  },
  remove: {
    title: (name: string) => `Удалить: ${name}?`,
    text: "Её больше не предложат при создании конфига. Сейчас она нигде не используется.",
    textService: "Его больше не предложат при создании конфига. Сейчас он нигде не используется.",
    inUse: (count: number) => `Используется: ${configs(count)}. Пока это так, удалить нельзя.`,
    inUseMore: "Сначала удалите эти конфиги или попросите владельцев создать их заново без этой записи.",
    confirm: "Удалить",
    working: "Удаление...",
    done: (name: string) => `${name}: удалено`,
    failed: "Не получилось удалить",
    understood: "Понятно",
  },
};
