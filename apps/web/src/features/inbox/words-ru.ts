import { counter } from "../../lib/i18n/plural.ts";

const configs = counter("ru", { one: "конфиг", few: "конфига", many: "конфигов", other: "конфига" });

/** What the club tells a member, and how an admin writes to members. */
export const inbox = {
  title: "Уведомления",
  open: "Уведомления",
  openUnread: (count: number) => `Уведомления, новых: ${count}`,
  empty: "Пока ничего нового.",
  emptyLead: "Здесь появится важное: сроки подписки, платежи, ответы поддержки.",
  failed: "Не получилось загрузить уведомления",
  loading: "Загрузка...",
  more: "Показать ещё",
  fresh: "новое",
  toSupport: "Открыть поддержку",
  said: {
    subscriptionEnds: {
      3: "Подписка скоро закончится",
      1: "Подписка заканчивается",
    },
    subscriptionEndsMore: (moment: string) => `Действует до ${moment}. Чтобы VPN не отключился, продлите её заранее.`,
    subscriptionEnded: "Подписка закончилась",
    subscriptionEndedMore: (moment: string) =>
      `Действовала до ${moment}. Конфиги сохранены и заработают сами после оплаты.`,
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
    paymentUntil: (day: string) => `Подписка действует до ${day}.`,
    paymentEndless: "Подписка действует без ограничения.",
    configMade: (name: string) => `Для вас создан конфиг ${name}`,
    configMadeMore: "Его сделал администратор. Файл есть и в кабинете, на карточке устройства.",
    configMoved: (name: string) => `Конфиг ${name} перенесён на другой сервер`,
    configMovedMore: "Это сделал администратор. Скачайте файл на карточке устройства.",
    configMovedUntil: (until: string) =>
      `Это сделал администратор. Скачайте файл заново на карточке устройства: прежний работает до ${until}, не дольше.`,
    configsMoved: (names: readonly string[]) =>
      names.length === 1
        ? `Конфиг ${names[0]} перенесён на другой сервер`
        : `На другой сервер: ${configs(names.length)}`,
    configsMovedMore: (names: readonly string[]) =>
      `Это сделал администратор. Скачайте файл заново на карточке устройства${names.length === 1 ? "" : `: ${names.join(", ")}`}.`,
    configsMovedUntil: (until: string) => `Прежний файл работает до ${until}, не дольше.`,
    configDeleted: (names: readonly string[]) =>
      names.length === 1 ? `Конфиг ${names[0]} удалён` : `Удалено: ${configs(names.length)}`,
    configDeletedMore: (names: readonly string[]) =>
      names.length === 1
        ? "Его удалил администратор, это устройство больше не подключится."
        : `Их удалил администратор: ${names.join(", ")}. Эти устройства больше не подключатся.`,
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
    serverGone: (server: string) => `Сервер «${server}» не отвечает`,
    serverGoneMore: (since: string) =>
      `С ${since}. Что изменилось, сохранено и будет применено, когда он вернётся. Причина указана на странице серверов.`,
    serverBack: (server: string) => `Сервер «${server}» снова отвечает`,
    serverBackMore: (since: string, until: string) => `Не отвечал с ${since} до ${until}.`,
    addressesLow: (name: string, free: number) =>
      free === 0 ? `${name}: свободных адресов не осталось` : `${name}: осталось свободных адресов: ${free}`,
    addressesLowMore: (server: string) =>
      `Сервер ${server}. Создайте ещё один интерфейс, пока новым устройствам хватает места.`,
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
  notify: {
    title: (name: string) => `Сообщение: ${name}`,
    lead: "Сообщение появится у участника в уведомлениях. Ответить на него он сможет через поддержку.",
    label: "Текст сообщения",
    left: (count: number) => `Осталось символов: ${count}`,
    empty: "Напишите текст сообщения",
    tooLong: "Не больше 1000 символов",
    send: "Отправить",
    sending: "Отправка...",
    done: (name: string) => `Сообщение отправлено: ${name}`,
    failed: "Не получилось отправить сообщение",
  },
};
