import { counter } from "./plural.ts";

const configsRu = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });
const unknownRu = counter("ru", { one: "устройства", few: "устройств", many: "устройств", other: "устройства" });
const unknownEn = counter("en", { one: "device is", other: "devices are" });
const registrationsEn = counter("en", { one: "registration", other: "registrations" });
const wrongCodesEn = counter("en", { one: "wrong invite code", other: "wrong invite codes" });
const configsEn = counter("en", { one: "config", other: "configs" });

const ru = {
  said: {
    subscriptionEnds: {
      3: "Подписка скоро закончится",
      1: "Подписка заканчивается",
    },
    subscriptionEndsMore: (moment: string) => `Действует до ${moment}. Чтобы VPN не отключился, продлите её заранее.`,
    subscriptionEnded: "Подписка закончилась",
    subscriptionEndedMore: (moment: string) =>
      `Действовала до ${moment}. Конфиги сохранены и заработают сами после оплаты.`,
    referralEnds: {
      3: "Бесплатная подписка скоро закончится",
      1: "Бесплатная подписка заканчивается",
    },
    referralEndsMore: (friend: string, moment: string) =>
      `У друга (${friend}) подписка до ${moment}. Если её не продлят, клубом будут пользоваться меньше трёх ваших друзей, и ваша бесплатная тоже закончится.`,
    referralEnded: "Бесплатная подписка закончилась",
    referralEndedMore: (moment: string) =>
      `С ${moment} клубом пользуются меньше трёх ваших друзей. Конфиги сохранены и заработают сами, когда друзей снова станет трое или после оплаты.`,
    friendConnected: (friend: string) => `${friend}: первое подключение`,
    friendConnectedMore:
      "Друг, которого вы пригласили, подключился. Сколько друзей уже с вами, видно в «Пригласить друзей».",
    referralEarned: "Ваша подписка теперь бесплатна",
    referralEarnedMore: (friends: number) =>
      `Клубом пользуются ваши друзья, их уже ${friends}. Подписка действует, пока активна у них, платить не нужно.`,
    quotaNearly: "Израсходовано больше 80 % трафика",
    quotaNearlyMore: {
      cut: (all: string, day: string) => `На этот месяц у вас ${all}. Когда они закончатся, VPN отключится до ${day}.`,
      tell: (all: string, day: string) => `На этот месяц у вас ${all}. Счёт начнётся заново ${day}.`,
    },
    quotaUsedUp: "Трафик на этот месяц израсходован",
    quotaUsedUpMore: {
      cut: (all: string, day: string) =>
        `Использованы все ${all}. VPN отключён и включится сам ${day}. Нужно раньше? Напишите в поддержку.`,
      tell: (all: string, day: string) =>
        `Использованы все ${all}. VPN продолжает работать, счёт начнётся заново ${day}.`,
    },
    paymentRecorded: (month: string) => `Платёж за ${month} получен`,
    paymentTakenBack: (month: string) => `Платёж за ${month} не подтверждён`,
    paymentTakenBackUntil: (day: string) => `Подписка теперь до ${day}. Если это ошибка, напишите в поддержку.`,
    paymentTakenBackMore: "Подписки по нему больше нет. Если это ошибка, напишите в поддержку.",
    extended: "Подписка продлена",
    ticketOpened: (member: string) => `Новое обращение: ${member}`,
    memberJoined: (username: string) => `Новый участник: ${username}`,
    memberJoinedMore: "Вошёл по коду приглашения.",
    paymentUntil: (day: string) => `Подписка действует до ${day}.`,
    paymentEndless: "Подписка действует без ограничения.",
    configMade: (name: string) => `Для вас создан конфиг ${name}`,
    configMadeMore: "Его сделал администратор. Файл есть и в кабинете, на карточке устройства.",
    deviceConnected: (name: string) => `Устройство ${name} подключилось впервые`,
    deviceConnectedMore: "Если это не вы, замените ключ этого устройства в кабинете.",
    configMoved: (name: string) => `Конфигу ${name} нужен новый файл`,
    configMovedMore: "Администратор перенёс его. Скачайте файл на карточке устройства.",
    configMovedUntil: (until: string) =>
      `Администратор перенёс его. Скачайте файл заново на карточке устройства: прежний работает до ${until}, не дольше.`,
    configsMoved: (names: readonly string[]) =>
      names.length === 1 ? `Конфигу ${names[0]} нужен новый файл` : `Нужны новые файлы: ${configsRu(names.length)}`,
    configsMovedMore: (names: readonly string[]) =>
      `Администратор перенёс ${names.length === 1 ? "его" : "их"}. Скачайте файл заново на карточке устройства${names.length === 1 ? "" : `: ${names.join(", ")}`}.`,
    configsMovedUntil: (until: string) => `Прежний файл работает до ${until}, не дольше.`,
    otherApp: "Для нового файла нужно приложение AmneziaWG или AmneziaVPN.",
    configDeleted: (names: readonly string[]) =>
      names.length === 1 ? `Конфиг ${names[0]} удалён` : `Удалено: ${configsRu(names.length)}`,
    configDeletedMore: (names: readonly string[]) =>
      names.length === 1
        ? "Его удалил администратор, это устройство больше не подключится."
        : `Их удалил администратор: ${names.join(", ")}. Эти устройства больше не подключатся.`,
    lostDeviceReported: "Ваше устройство потеряно?",
    lostDeviceReportedMore: (asksStaff: boolean): string =>
      asksStaff
        ? "На странице входа назвали ваш логин и сообщили, что устройство потеряно. Запрос получили администраторы: прежде чем что-то отключить, они свяжутся с вами. Это не вы? Напишите в поддержку."
        : "На странице входа назвали ваш логин и сообщили, что устройство потеряно. Если это вы, подтвердите боту в Telegram: старый ключ сразу отключится, придёт новый файл. Без подтверждения ничего не изменится.",
    lostDeviceCut: (name: string) => `Устройство ${name} отключено как потерянное`,
    lostDeviceCutMore:
      "Администратор заменил его ключ: прежний файл больше не работает, на всех устройствах нужно войти снова. Если вы об этом не просили, напишите в поддержку.",
    supportReply: "Поддержка ответила",
    supportChat: "Ответ ждёт в чате.",
    supportTicket: "Ответ ждёт в вашем обращении.",
    maintenanceBegan: "Начались технические работы",
    maintenanceBeganMore: (moment: string) => `С ${moment}. VPN на это время не отключается.`,
    maintenanceEnded: "Технические работы закончились",
    maintenanceEndedMore: (from: string, to: string) => `Шли с ${from} до ${to}. VPN всё это время работал.`,
    joiningLimited: {
      address: (members: number) => `Регистраций с одного адреса за сутки: ${members}`,
      code: (members: number) => `Регистраций по одному коду за сутки: ${members}`,
    },
    joiningLimitedMore: {
      address:
        "Больше оттуда пока никто не зарегистрируется. Посмотрите, кто пришёл; предел задаётся в настройках системы.",
      code: "По коду пока больше никто не войдёт. Если он попал не в те руки, деактивируйте его; предел задаётся в настройках системы.",
    },
    codesGuessed: (wrongCodes: number) => `Неверных кодов приглашения за час: ${wrongCodes}`,
    codesGuessedMore:
      "Похоже, коды подбирают с разных адресов. Каждый адрес блокируется с пятой ошибки; если волна не спадает, деактивируйте многоразовые коды.",
    serverGone: (server: string) => `Сервер «${server}» не отвечает`,
    serverGoneMore: (since: string) =>
      `С ${since}. Что изменилось, сохранено и будет применено, когда он вернётся. Причина указана на странице серверов.`,
    forwardingRefused: (server: string) => `Сервер «${server}» не пропускает трафик`,
    forwardingRefusedMore:
      "Устройства подключаются, но страницы не открываются: пересылку запрещает другой файрвол этой машины. Какое это правило и как его открыть, указано на странице серверов.",
    forwardingBack: (server: string) => `Сервер «${server}» снова пропускает трафик`,
    forwardingBackMore: (since: string, until: string) => `Не пропускал с ${since} до ${until}.`,
    backupLate: "Давно нет новой резервной копии",
    backupLateMore: (since: string) => `Последняя удалась или ожидалась ${since}. Причина указана на странице системы.`,
    webhookOff: (host: string) => `Вебхук на ${host} выключен`,
    webhookOffMore: {
      gone: "Получатель ответил, что больше его не ждёт. Включить его можно на странице вебхуков.",
      failing: "Три дня ни одна отправка не удалась. Журнал и причины — на странице вебхуков.",
    },
    countersRefused: (server: string) => `Сервер «${server}» сообщает невозможный трафик`,
    countersRefusedMore: "Эти показания не учтены. Сервер неисправен или в чужих руках: проверьте его.",
    unknownPeers: (count: number) => `${unknownRu(count)} нет в резервной копии`,
    unknownPeersMore: (name: string, server: string) =>
      `Они подключены к интерфейсу «${name}» сервера «${server}» и продолжают работать. На странице серверов решите, чьи они, или отключите их.`,
    serverBack: (server: string) => `Сервер «${server}» снова отвечает`,
    serverBackMore: (since: string, until: string) => `Не отвечал с ${since} до ${until}.`,
    interfaceGone: (name: string) => `${name}: устройства разом пропали`,
    interfaceGoneMore: (server: string, since: string) =>
      `Сервер ${server}, с ${since}. Сам он отвечает. Похоже, сети стали блокировать этот туннель: помогут новые параметры AmneziaWG.`,
    interfaceBack: (name: string) => `${name}: устройства снова на связи`,
    interfaceBackMore: (server: string, since: string, until: string) =>
      `Сервер ${server}. Их не было с ${since} до ${until}.`,
    addressesLow: (name: string, free: number) =>
      free === 0 ? `${name}: свободных адресов не осталось` : `${name}: осталось свободных адресов: ${free}`,
    addressesLowMore: (server: string) =>
      `Сервер ${server}. Создайте ещё один интерфейс, пока новым устройствам хватает места.`,
    digest: {
      title: (day: string) => `Сводка за ${day}`,
      devices: (count: number, size: string) => `Устройств на связи: ${count}, трафик: ${size}`,
      joined: (count: number) => `Новых участников: ${count}`,
      payments: (count: number, sum: string) => `Платежей: ${count}${sum === "" ? "" : `, получено ${sum}`}`,
      ended: (count: number) => `Подписок закончилось: ${count}`,
      ending: (count: number) => `Закончится за три дня: ${count}`,
      claims: (count: number) => `Ждут подтверждения оплаты: ${count}`,
      conversations: (count: number) => `Ждут ответа поддержки: ${count}`,
      tickets: (count: number) => `Открытых обращений: ${count}`,
      servers: (names: readonly string[]) => `Не отвечают серверы: ${names.join(", ")}`,
    },
    staff: "Сообщение от администрации",
  },
  months: [
    "январь",
    "февраль",
    "март",
    "апрель",
    "май",
    "июнь",
    "июль",
    "август",
    "сентябрь",
    "октябрь",
    "ноябрь",
    "декабрь",
  ],
};

export type NoticeWords = typeof ru;

const en: NoticeWords = {
  said: {
    subscriptionEnds: {
      3: "Your subscription ends soon",
      1: "Your subscription is about to end",
    },
    subscriptionEndsMore: (moment: string) =>
      `It is valid until ${moment}. Extend it before, so that your VPN stays on.`,
    subscriptionEnded: "Your subscription has ended",
    subscriptionEndedMore: (moment: string) =>
      `It was valid until ${moment}. Your configs are kept and will work again by themselves once you have paid.`,
    referralEnds: {
      3: "Your free subscription ends soon",
      1: "Your free subscription is about to end",
    },
    referralEndsMore: (friend: string, moment: string) =>
      `The subscription of a friend (${friend}) is valid until ${moment}. Unless it is extended, fewer than three of your friends use the club, and your free one ends too.`,
    referralEnded: "Your free subscription has ended",
    referralEndedMore: (moment: string) =>
      `Since ${moment} fewer than three of your friends use the club. Your configs are kept and will work again by themselves once there are three again, or once you have paid.`,
    friendConnected: (friend: string) => `${friend} has connected`,
    friendConnectedMore:
      "A friend you invited connected for the first time. 'Invite friends' shows how many are with you.",
    referralEarned: "Your subscription is free now",
    referralEarnedMore: (friends: number) =>
      `Your friends use the club, ${friends} of them. Your subscription lasts while theirs do, and there is nothing to pay.`,
    quotaNearly: "More than 80% of your traffic is used",
    quotaNearlyMore: {
      cut: (all: string, day: string) => `You have ${all} this month. Once they are used, the VPN stops until ${day}.`,
      tell: (all: string, day: string) => `You have ${all} this month. Counting starts again on ${day}.`,
    },
    quotaUsedUp: "This month's traffic is used up",
    quotaUsedUpMore: {
      cut: (all: string, day: string) =>
        `All ${all} are used. The VPN is off and comes back by itself on ${day}. Do you need it sooner? Write to support.`,
      tell: (all: string, day: string) => `All ${all} are used. The VPN goes on, and counting starts again on ${day}.`,
    },
    paymentRecorded: (month: string) => `Payment for ${month} received`,
    paymentTakenBack: (month: string) => `Payment for ${month} was not confirmed`,
    paymentTakenBackUntil: (day: string) =>
      `Your subscription is valid until ${day} now. If that is a mistake, write to support.`,
    paymentTakenBackMore: "There is no subscription by it any more. If that is a mistake, write to support.",
    extended: "Your subscription was extended",
    ticketOpened: (member: string) => `New ticket: ${member}`,
    memberJoined: (username: string) => `New member: ${username}`,
    memberJoinedMore: "Joined with an invite code.",
    paymentUntil: (day: string) => `Your subscription is valid until ${day}.`,
    paymentEndless: "Your subscription is valid without end.",
    configMade: (name: string) => `The config ${name} was made for you`,
    configMadeMore: "An admin made it. Its file is on the device's card in your dashboard too.",
    deviceConnected: (name: string) => `${name} connected for the first time`,
    deviceConnectedMore: "If that was not you, replace this device's key in your dashboard.",
    configMoved: (name: string) => `The config ${name} needs its new file`,
    configMovedMore: "An admin moved it. Download the file on the device's card.",
    configMovedUntil: (until: string) =>
      `An admin moved it. Download the file again on the device's card: the old one works until ${until} at the latest.`,
    configsMoved: (names: readonly string[]) =>
      names.length === 1
        ? `The config ${names[0]} needs its new file`
        : `New files are needed: ${configsEn(names.length)}`,
    configsMovedMore: (names: readonly string[]) =>
      `An admin moved ${names.length === 1 ? "it" : "them"}. Download the file again on the device's card${names.length === 1 ? "" : `: ${names.join(", ")}`}.`,
    configsMovedUntil: (until: string) => `The old file works until ${until} at the latest.`,
    otherApp: "The new file takes the app AmneziaWG or AmneziaVPN.",
    configDeleted: (names: readonly string[]) =>
      names.length === 1 ? `The config ${names[0]} was deleted` : `Deleted: ${configsEn(names.length)}`,
    configDeletedMore: (names: readonly string[]) =>
      names.length === 1
        ? "An admin deleted it, and this device will not connect any more."
        : `An admin deleted them: ${names.join(", ")}. These devices will not connect any more.`,
    lostDeviceReported: "Is a device of yours lost?",
    lostDeviceReportedMore: (asksStaff: boolean): string =>
      asksStaff
        ? "Somebody named your login on the sign-in page and said that a device is lost. The admins have the request, and will contact you before they disconnect anything. Not you? Write to support."
        : "Somebody named your login on the sign-in page and said that a device is lost. If it was you, confirm it to the bot in Telegram: the old key is cut at once and a new file comes. Without that nothing changes.",
    lostDeviceCut: (name: string) => `${name} was disconnected as lost`,
    lostDeviceCutMore:
      "An admin replaced its key: the old file no longer works, and every device has to sign in again. If you did not ask for that, write to support.",
    supportReply: "Support has answered",
    supportChat: "The answer is in the chat.",
    supportTicket: "The answer is in your ticket.",
    maintenanceBegan: "Maintenance has begun",
    maintenanceBeganMore: (moment: string) => `Since ${moment}. Your VPN stays on meanwhile.`,
    maintenanceEnded: "Maintenance is over",
    maintenanceEndedMore: (from: string, to: string) =>
      `It went on from ${from} to ${to}. Your VPN worked all the while.`,
    joiningLimited: {
      address: (members: number) => `${registrationsEn(members)} from one address within a day`,
      code: (members: number) => `${registrationsEn(members)} with one invite code within a day`,
    },
    joiningLimitedMore: {
      address: "No more are let in from there for now. Look at who joined; the limit is in the system's settings.",
      code: "The code lets nobody in for now. If it got into wrong hands, deactivate it; the limit is in the system's settings.",
    },
    codesGuessed: (wrongCodes: number) => `${wrongCodesEn(wrongCodes)} within an hour`,
    codesGuessedMore:
      "Somebody seems to guess codes from many addresses. Each address is banned at its fifth mistake; if this goes on, deactivate codes with many uses.",
    serverGone: (server: string) => `The server '${server}' does not answer`,
    serverGoneMore: (since: string) =>
      `Since ${since}. Changes are kept and applied when it is back. The servers page names the reason.`,
    forwardingRefused: (server: string) => `The server '${server}' passes no traffic on`,
    forwardingRefusedMore:
      "Devices connect, but no page opens: another firewall on its machine forbids forwarding. The servers page names the rule and how to open it.",
    forwardingBack: (server: string) => `The server '${server}' passes traffic on again`,
    forwardingBackMore: (since: string, until: string) => `It did not from ${since} to ${until}.`,
    backupLate: "There has been no new backup for long",
    backupLateMore: (since: string) =>
      `The last one was made or expected on ${since}. The system page names the reason.`,
    webhookOff: (host: string) => `The webhook to ${host} is off`,
    webhookOffMore: {
      gone: "Its receiver answered that it is gone. It can be switched on again on the webhooks page.",
      failing: "No delivery has arrived for three days. The webhooks page has the log with the reasons.",
    },
    countersRefused: (server: string) => `Server '${server}' reports impossible traffic`,
    countersRefusedMore: "These readings were not counted. The server is faulty or in somebody else's hands: check it.",
    unknownPeers: (count: number) => `${unknownEn(count)} not in the backup`,
    unknownPeersMore: (name: string, server: string) =>
      `They are connected to “${name}” on the server ${server} and go on working. On the servers page, say whose they are or disconnect them.`,
    serverBack: (server: string) => `The server '${server}' answers again`,
    serverBackMore: (since: string, until: string) => `It did not answer from ${since} to ${until}.`,
    interfaceGone: (name: string) => `${name}: devices went at once`,
    interfaceGoneMore: (server: string, since: string) =>
      `Server ${server}, since ${since}. The server itself answers. Networks seem to block this tunnel: new parameters of AmneziaWG help.`,
    interfaceBack: (name: string) => `${name}: devices are back`,
    interfaceBackMore: (server: string, since: string, until: string) =>
      `Server ${server}. They were gone from ${since} to ${until}.`,
    addressesLow: (name: string, free: number) =>
      free === 0 ? `${name}: no free addresses are left` : `${name}: free addresses left: ${free}`,
    addressesLowMore: (server: string) =>
      `On the server ${server}. Create another interface before new devices have no room.`,
    digest: {
      title: (day: string) => `Summary of ${day}`,
      devices: (count: number, size: string) => `Devices connected: ${count}, traffic: ${size}`,
      joined: (count: number) => `New members: ${count}`,
      payments: (count: number, sum: string) => `Payments: ${count}${sum === "" ? "" : `, received ${sum}`}`,
      ended: (count: number) => `Subscriptions ended: ${count}`,
      ending: (count: number) => `Ending within three days: ${count}`,
      claims: (count: number) => `Waiting for their payment to be confirmed: ${count}`,
      conversations: (count: number) => `Waiting for support's answer: ${count}`,
      tickets: (count: number) => `Open tickets: ${count}`,
      servers: (names: readonly string[]) => `Servers that do not answer: ${names.join(", ")}`,
    },
    staff: "A message from the club's staff",
  },
  months: [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
  ],
};

/** What notices say, in the panel and by the bot. */
export const noticeWords = { ru, en };
