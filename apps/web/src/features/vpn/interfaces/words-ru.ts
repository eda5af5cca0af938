import type { Api } from "@krug/contract/api";
import { counter, countText } from "@krug/domain/plural";

const long = (count: number) => countText("ru", count);
/** An existing interface that makes room for an imported one, with its new network and port. */
export type GivesWay = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"]["givesWay"][number];

const configs = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });
const devices = counter("ru", { one: "устройстве", few: "устройствах", many: "устройствах", other: "устройства" });
const members = counter("ru", { one: "участнику", few: "участникам", many: "участникам", other: "участника" });
const leftDevices = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });

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
    configsOf: (count: number, capacity: number) => `${long(count)} из ${long(capacity)}`,
    assigned: "Назначен",
    state: "Состояние",
    nobody: "всем",
    assignedTo: members,
    none: "На этом сервере нет интерфейсов. Пока их нет, конфиги создавать негде.",
    noServers: "Серверов пока нет",
    noServersLead: "Интерфейсы появятся, когда сервером станет хотя бы один компьютер.",
    failed: "Ошибка при загрузке интерфейса",
    routed: "решает сервер",
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
    seen: "Работал",
  },
  closed: "новых конфигов не принимает",
  runsLow: (free: number) => (free === 0 ? "нет свободных адресов" : `осталось адресов: ${free}`),
  /** The result of the panel's own handshake with it. `since`: '12:40', or with the day. */
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
  narrow: {
    title: (name: string, path: number) => `${name}: путь этого сервера пропускает ${path} байт за раз, а MTU больше`,
    more: (mtu: number) =>
      `Большие пакеты дробятся или теряются: страницы открываются медленно или не до конца. Подойдёт MTU ${mtu}.`,
    old: (count: number) => `Файл устареет на ${devices(count)}: владельцы увидят «Скачайте заново».`,
    set: (mtu: number) => `Поставить MTU ${mtu}`,
    done: (name: string, mtu: number) => `${name}: MTU ${mtu}`,
  },
  conflictMore: "Сервер не смог его поднять:",
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
    size: "Сколько устройств поместится",
    devices: leftDevices,
    ipv6: "IPv6",
    ipv6Hint: "Устройства получат и адрес IPv6. Включайте, если он есть у самого сервера.",
    ipv6Only:
      "Адрес этого сервера — IPv6. Если IPv4 у него нет, без этого через VPN не откроется ничего, а с этим — только сайты, у которых есть IPv6.",
    mtuAmnezia: (path: number | null) =>
      path !== null && path < 1_500
        ? `Путь этого сервера пропускает ${path} байт за раз. Пусто: подберём с учётом маскировки.`
        : "Пусто: подберём с учётом маскировки.",
    submit: "Создать",
    working: "Создание...",
    done: (name: string) => `${name}: создан`,
    notUp: (name: string) => `${name}: создан, но пока не поднялся`,
  },
  moveIn: {
    title: "Перенести интерфейс",
    offerLead: "Устройства уже работают в другой программе? Их файлы останутся как есть.",
    offer: "Перенести из wg-quick, AmneziaVPN или wg-easy",
    lead: "Ключи и адреса останутся прежними, поэтому настроенные устройства продолжат работать. Подойдут файл сервера WireGuard или AmneziaWG (wg0.conf, awg0.conf) из /etc/wireguard, /etc/amnezia, контейнера AmneziaVPN или wg-easy, wg0.json от wg-easy до версии 14 и wg-easy.db от версии 15 (сначала остановите её). У AmneziaVPN имена устройств лежат рядом, в clientsTable: выберите оба файла сразу.",
    choose: "Выбрать файл",
    paste: "Или вставьте его текст",
    pasteHint: "В файле секретный ключ сервера. Панель сохранит его зашифрованным и больше не покажет.",
    read: "Прочитать",
    reading: "Чтение...",
    notRead: "Файл не прочитан",
    runs: (name: string) =>
      `Этот интерфейс сейчас работает на сервере как ${name}. Панель продолжит с него: выбранные устройства не отключатся.`,
    stands: "На этом сервере он сейчас не работает",
    standsMore: (address: string | null) =>
      `Остановите прежнюю программу. Адрес, на который настроены устройства, должен вести ${address === null ? "на этот сервер" : `сюда: ${address}`}.`,
    type: "Вид туннеля",
    typeOpen:
      "В базе wg-easy не сказано, был ли туннель AmneziaWG. Если устройства подключались через AmneziaWG, выберите его.",
    faults: "Параметры перейдут как есть, но мешают туннелю",
    subnet: "Подсеть",
    givesWay: ({ name, subnet, port }: GivesWay) =>
      `${name} пуст и уступит ${[subnet && `сеть ${subnet.from}`, port && `порт ${port.from}`].filter(Boolean).join(" и ")}: у него будет ${[subnet && `сеть ${subnet.to}`, port && `порт ${port.to}`].filter(Boolean).join(" и ")}.`,
    ignored: "Не переносится",
    unread: "Не прочитано",
    unreadOne: ({ line, field }: { line: number | null; field: string }) =>
      [line === null ? "" : `строка ${line}`, field].filter(Boolean).join(": "),
    portHint: "Тот, на который настроены устройства.",
    owner: "Участник",
    ownerHint: "Пусто: устройство не переносится.",
    name: "Имя конфига",
    nameWrong: "От 1 до 15 знаков: латинские буквы, цифры, дефис и подчёркивание",
    kind: "Тип устройства",
    phone: "Телефон",
    computer: "Компьютер",
    noKey: "Ключ есть только на устройстве: новый файл можно будет получить после «Заменить ключ».",
    wasOff: "Было выключено и останется выключенным: включить его можно в списке конфигов.",
    endsAt: (day: string) => `В прежней программе был срок: ${day}. Он останется.`,
    losesV6: "Его адрес IPv6 перестанет работать.",
    strange: {
      address: "Не переносится: его адрес занимает сам сервер, или он вне подсети.",
      networks: "Не переносится: за ним целая сеть, или адреса нет.",
      twice: "Не переносится: его ключ занимает сам сервер.",
      replaced: "Не переносится: его адрес в файле ниже отдан другому устройству, это уже не подключается.",
      unreadable: "Не переносится: его адрес или ключ в файле записан неверно.",
      key_taken: "Не переносится: этот ключ в клубе уже есть.",
    },
    cut: (count: number) => `Без действующей подписки, отключатся сразу: ${count}`,
    left: (count: number) => `Не переносится и больше не подключится: ${leftDevices(count)}.`,
    more: (count: number) => `Показать ещё: ${count}`,
    take: (count: number) => (count === 0 ? "Перенести" : `Перенести: ${count}`),
    taking: "Перенос...",
    done: (name: string, count: number) => `${name}: перенесено, ${configs(count)}`,
    failed: "Интерфейс не перенесён",
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
    ipv6: "IPv6",
    ipv6Hint: "Включайте, если он есть у самого сервера. После первого конфига уже не изменить.",
    ipv6Fixed: (subnet: string | null) =>
      subnet === null ? "Включить можно, только пока на нём нет конфигов." : `Подсеть ${subnet}`,
    subnetWrong: "Частная сеть IPv4 от /16 до /29, например 10.8.3.0/24",
    endpoint: "Адрес подключения",
    endpointHint: (address: string | null) =>
      address === null
        ? "Имя или IP-адрес без порта."
        : `Имя или IP-адрес без порта. Пусто: как у сервера, ${address}.`,
    endpointWrong: "Имя или IP-адрес без порта, например vpn.example.org",
    mtu: "MTU",
    mtuHint: (usual: number) => `Пусто: ${usual}, подходит почти всем.`,
    mtuNarrow: (path: number, mtu: number, isNew = false) =>
      `Путь этого сервера пропускает ${path} байт за раз. ${isNew ? "Пусто: " : "Подойдёт "}${mtu}.`,
    mtuWrong: "Целое число от 1280 до 1500",
    takesNew: "Принимает новые конфиги",
    takesNewHint: "Созданные раньше работают в любом случае.",
    routing: "Кто решает, что идёт через VPN",
    routings: { device: "Файл на устройстве", server: "Сервер" },
    routingHints: {
      device: "Адреса сервисов записаны в файле: после их изменения файл нужно скачать заново.",
      server:
        "Файл отправляет на сервер всё, а сервер выпускает выбранные сервисы. Участники переключают их на карточке без нового файла, на телефоне адресов может быть сколько угодно.",
    },
    restExit: "Остальной трафик, кроме выбранных сервисов",
    exitDown: "Если выход не отвечает",
    exitLink: "Туннель к выходам",
    restHints: {
      direct: "Всё, чего нет в выбранных сервисах, выходит в интернет с этого сервера.",
      closed: "Пока VPN включён, на устройстве открываются только выбранные сервисы.",
      other: "Всё, чего нет в выбранных сервисах, выходит в интернет с того сервера.",
    },
    active: "Интерфейс работает",
    activeHint: "Выключенный уходит с сервера, конфиги и адреса на нём сохраняются.",
    download: (count: number) => `Файл устареет на ${devices(count)}`,
    downloadMore: "Владельцы увидят «Скачайте заново».",
    downloadOnce: "Скачать нужно один раз: дальше сервисы меняются без нового файла.",
    downloadPort: "Со старым файлом они не подключатся. Владельцы увидят «Скачайте заново».",
    cut: (count: number) => `Сразу отключится: ${configs(count)}`,
    cutMore: "Вернутся, когда интерфейс снова включат.",
    conflict: "Пока вы редактировали, интерфейс изменил другой сотрудник",
    byDefault: "по умолчанию",
  },
  remove: {
    title: (name: string) => `Удалить: ${name}?`,
    empty: "На нём нет конфигов. Порт и подсеть освободятся.",
    lead: "Вернуть интерфейс будет нельзя. Сразу пропадут:",
    configs: (count: number) => `${configs(count)} вместе с ключами: эти устройства отключатся`,
    assigned: (count: number) => `назначения ${members(count)}`,
    whose: "Отключатся:",
    andMore: (count: number) => `и ещё ${configs(count)}`,
    leaving: (count: number) =>
      `По прежнему файлу отсюда ещё работает: ${leftDevices(count)}. Их связь прервётся, пока владелец не скачает новый файл.`,
    type: (name: string) => `Чтобы удалить, введите название: ${name}`,
    changed: (count: number) =>
      `Пока вы читали, их стало другое число: теперь ${configs(count)}. Проверьте и подтвердите ещё раз.`,
    confirm: "Удалить",
    confirmForever: "Удалить навсегда",
    working: "Удаление...",
    done: (name: string) => `${name}: удалён`,
  },
  reach: {
    action: "История подключений",
    title: (name: string) => `История подключений: ${name}`,
    gone: (since: string) => `Устройства разом пропали: ${since}`,
    goneMore: "Сам сервер отвечает. Похоже, сети стали блокировать этот туннель: помогут новые параметры AmneziaWG.",
    span: "За какое время",
    day: "24 часа",
    month: "30 дней",
    loading: "Загрузка...",
    failed: "Не получилось загрузить историю подключений",
    none: "Пока нечего показать. Панель считает устройства каждые 5 минут.",
    devices: "Устройства",
    online: (count: string, at: string) => `на связи: ${count} (${at})`,
    expected: (count: string) => `были на связи за сутки: ${count}`,
    of: (online: string, expected: string) => `на связи ${online} из ${expected}`,
    unknown: "нет данных",
    explained: "Блокировку видно по обрыву: на связи разом становится мало устройств, хотя за сутки их было много.",
    gaps: "Разрывы: интерфейс был выключен, сервер не отвечал, или панель не работала.",
  },
  failures: {
    create: "Ошибка при создании интерфейса",
    update: "Ошибка при обновлении интерфейса",
    remove: "Ошибка при удалении интерфейса",
    assign: "Ошибка при назначении интерфейса",
  },
};
