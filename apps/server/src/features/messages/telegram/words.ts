import type { Language } from "@krug/contract/refusals";
import type { DeviceState } from "@krug/domain/device-state";

export interface Words {
  commands: Record<"status" | "configs" | "lost" | "password" | "unlink" | "help", string>;
  help: string;
  /** `page`: the panel's address if known. */
  howToLink(page: string | null): string;
  linked(username: string): string;
  linkedAlready(username: string): string;
  wrongCode: string;
  banned(minutes: number): string;
  blocked: string;
  memberHasAnother: string;
  notLinked(page: string | null): string;
  maintenance: string;
  /** A button that this version does not know. */
  oldButton: string;
  failed: string;
  unlinkQuestion(username: string): string;
  unlinkYes: string;
  unlinkNo: string;
  unlinked(username: string): string;
  stillLinked: string;
  /** Above the buttons with the devices' names. */
  filesBelow: string;
  fileQuestion(name: string): string;
  fileYes: string;
  fileNo: string;
  /** Under the file, and under its QR code. `app`: the app that opens it. */
  file(name: string, app: string): string;
  fileQr(name: string, app: string): string;
  fileSent(name: string): string;
  fileKept: string;
  /** On the button under a notice, and under answers that lead into the club. */
  toPage: string;
  passwordQuestion: string;
  passwordYes: string;
  passwordNo: string;
  passwordLink(link: string): string;
  passwordKept: string;
  /** For staff, and for clubs whose panel does not know its own address. */
  passwordByAdmin: string;
  /** Under the notice of a lost device. */
  lostYes: string;
  lostNo: string;
  lostWhich: string;
  /** Next to the devices' names. */
  lostNone: string;
  lostCut(name: string): string;
  /** Before the reason why there is no new file. */
  lostCutOnly(name: string): string;
  lostNothing: string;
  lostOver: string;
  lostDeclined: string;
  lostKept: string;
  account(username: string): string;
  subscription: Record<"unlimited" | "referral" | "none", string> &
    Record<"until" | "trial" | "expired", (day: string) => string> & {
      grace(ended: string, until: string): string;
    };
  quota(day: string): string;
  slow(day: string, mbit: number): string;
  devices(count: number, limit: number | null): string;
  noDevices: string;
  more(count: number): string;
  device: {
    online: string;
    seen(age: string): string;
  } & Record<Exclude<DeviceState, "online" | "seen">, string>;
}

const ru: Words = {
  commands: {
    status: "Подписка и устройства",
    configs: "Устройства, их файлы и QR-коды",
    lost: "Потеряно устройство",
    password: "Забыли пароль",
    unlink: "Отвязать Telegram",
    help: "Что умеет бот",
  },
  help: [
    "Что умеет бот:",
    "/status: подписка и устройства",
    "/configs: устройства, когда они были на связи, их файлы и QR-коды",
    "/lost: отключить потерянное устройство и получить новый файл",
    "/password: ссылка, чтобы задать новый пароль",
    "/unlink: отвязать этот Telegram от аккаунта",
    "/help: эта подсказка",
  ].join("\n"),
  howToLink: (page) =>
    `Это бот клуба «Круг». Чтобы привязать Telegram, откройте ${page === null ? "личный кабинет" : page}, «Настройки», «Telegram», получите код и отправьте его сюда.`,
  linked: (username) =>
    `Готово: этот Telegram привязан к аккаунту ${username}. Можно вернуться на страницу клуба.\n\nПодписка и устройства: /status. Всё, что умеет бот: /help.`,
  linkedAlready: (username) =>
    `Этот Telegram привязан к аккаунту ${username}. Чтобы привязать его к другому, сначала отвяжите: /unlink.`,
  wrongCode:
    "Код не подошёл: он действует 10 минут и только один раз. Получите новый в настройках и отправьте его сюда.",
  banned: (minutes) => `Слишком много неверных кодов. Попробуйте через ${minutes} мин.`,
  blocked: "Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.",
  memberHasAnother: "К этому аккаунту уже привязан другой Telegram. Отвяжите его в настройках и получите новый код.",
  notLinked: (page) =>
    `Этот Telegram ни к чему не привязан. Получите код ${page === null ? "в личном кабинете" : `на ${page}`}, «Настройки», «Telegram», и отправьте его сюда.`,
  oldButton: "Эта кнопка больше не действует. Отправьте команду ещё раз.",
  maintenance: "Система находится на техническом обслуживании. Попробуйте позже.",
  failed: "Не получилось ответить. Попробуйте ещё раз чуть позже.",
  unlinkQuestion: (username) =>
    `Отвязать этот Telegram от аккаунта ${username}? Уведомления приходить перестанут, а для новых устройств Telegram может понадобиться снова. VPN на ваших устройствах продолжит работать.`,
  unlinkYes: "Отвязать",
  unlinkNo: "Оставить",
  unlinked: (username) => `Telegram отвязан от аккаунта ${username}.`,
  stillLinked: "Хорошо, всё осталось как было.",
  filesBelow: "Чтобы получить файл и QR-код устройства, нажмите на его имя.",
  fileQuestion: (name) =>
    `Прислать сюда файл и QR-код устройства «${name}»? С ними VPN будет работать у любого, кому они попадут. Они останутся в этом чате, пока вы их не удалите.`,
  fileYes: "Прислать файл",
  fileNo: "Не надо",
  file: (name, app) => `Файл устройства «${name}». Откройте его в приложении ${app}.`,
  fileQr: (name, app) => `QR-код устройства «${name}»: в приложении ${app} нажмите «+» и наведите камеру.`,
  fileSent: (name) => `Файл устройства «${name}» отправлен. Когда настроите VPN, удалите его из чата.`,
  fileKept: "Хорошо, файл не отправлен.",
  toPage: "Открыть кабинет",
  passwordQuestion:
    "Прислать ссылку, по которой можно задать новый пароль? Прежний пароль действует, пока вы не зададите новый.",
  passwordYes: "Прислать",
  passwordNo: "Не надо",
  passwordLink: (link) =>
    `Откройте и задайте новый пароль: ${link}\n\nСсылка действует сутки и один раз. Никому её не пересылайте.`,
  passwordKept: "Хорошо, пароль остался прежним.",
  passwordByAdmin: "Ссылку для нового пароля может дать только администратор клуба.",
  lostYes: "Да, устройство потеряно",
  lostNo: "Это не я",
  lostWhich:
    "Какое устройство потеряно? Его ключ сразу перестанет работать, сюда придёт новый файл, а на всех устройствах нужно будет войти в кабинет снова.",
  lostNone: "Ничего не отключать",
  lostCut: (name) =>
    `Старый ключ устройства «${name}» отключён, вход в кабинет завершён на всех устройствах. Новый файл отправлен сюда: когда настроите VPN, удалите его из чата. Если вместе с телефоном мог пропасть и этот Telegram, завершите его сеансы на том телефоне. Забыли пароль: /password.`,
  lostCutOnly: (name) =>
    `Старый ключ устройства «${name}» отключён, вход в кабинет завершён на всех устройствах. Нового файла пока нет.`,
  lostNothing: "Устройств у вас нет, отключать нечего. Вход в кабинет завершён на всех устройствах.",
  lostOver: "Этот запрос уже выполнен или устарел. Файл устройства: /configs. Потеряно ещё одно: /lost.",
  lostDeclined:
    "Хорошо, ничего не отключено. Логин знает кто-то ещё, но без пароля и этого чата с ним ничего не сделать.",
  lostKept: "Хорошо, ничего не отключено.",
  account: (username) => `Аккаунт: ${username}`,
  subscription: {
    unlimited: "Безлимитная подписка",
    referral: "Подписка: бессрочно, пока подписка активна у трёх ваших друзей",
    none: "Подписка: не активна",
    until: (day) => `Подписка до ${day}`,
    trial: (day) => `Пробный период до ${day}`,
    expired: (day) => `Подписка истекла ${day}`,
    grace: (ended, until) => `Подписка истекла ${ended}, устройства работают до ${until}`,
  },
  slow: (day, mbit) => `Трафик на этот месяц израсходован, до ${day} медленно: ${mbit} Мбит/с`,
  quota: (day) => `Трафик на этот месяц израсходован, VPN включится сам ${day}`,
  devices: (count, limit) => (limit === null ? `Устройства: ${count}` : `Устройства: ${count} из ${limit}`),
  noDevices: "Пока ни одного устройства. Создайте первое на странице клуба.",
  more: (count) => `и ещё ${count}`,
  device: {
    online: "на связи",
    seen: (age) => `был на связи ${age}`,
    never: "ещё не подключался",
    pending: "ожидает применения",
    server_away: "сервер не отвечает, чиним",
    blocked: "заблокирован администратором",
    dormant: "отключён: давно не подключался, включите его в кабинете",
    ended: "отключён: срок закончился",
    no_subscription: "отключён: нет подписки",
    quota: "отключён: трафик израсходован",
    interface_off: "отключён: интерфейс не активен",
  },
};

const en: Words = {
  commands: {
    status: "Subscription and devices",
    configs: "Devices, their files and QR codes",
    lost: "A device is lost",
    password: "Forgot your password",
    unlink: "Unlink Telegram",
    help: "What the bot can do",
  },
  help: [
    "What the bot can do:",
    "/status: subscription and devices",
    "/configs: your devices, when they were last connected, their files and QR codes",
    "/lost: disconnect a lost device and get a new file",
    "/password: a link for setting a new password",
    "/unlink: unlink this Telegram from the account",
    "/help: this list",
  ].join("\n"),
  howToLink: (page) =>
    `This is the bot of the club “Круг”. To link your Telegram open ${page === null ? "your dashboard" : page}, Settings, Telegram, get a code and send it here.`,
  linked: (username) =>
    `Done: this Telegram is linked to the account ${username}. You can go back to the club's page.\n\nSubscription and devices: /status. All the bot can do: /help.`,
  linkedAlready: (username) =>
    `This Telegram is linked to the account ${username}. To link it to another one, unlink it first: /unlink.`,
  wrongCode:
    "That code does not work: it is valid for 10 minutes and only once. Get a new one in the settings and send it here.",
  banned: (minutes) => `Too many wrong codes. Try again in ${minutes} min.`,
  blocked: "Your account is blocked. Please contact the administration.",
  memberHasAnother: "Another Telegram is linked to this account already. Unlink it in the settings and get a new code.",
  notLinked: (page) =>
    `This Telegram is not linked to an account. Get a code ${page === null ? "in your dashboard" : `at ${page}`}, Settings, Telegram, and send it here.`,
  oldButton: "This button no longer works. Send the command again.",
  maintenance: "The system is under maintenance. Please try later.",
  failed: "Could not answer. Please try again a little later.",
  unlinkQuestion: (username) =>
    `Unlink this Telegram from the account ${username}? Notices will stop, and new devices may need Telegram again. The VPN on your devices keeps working.`,
  unlinkYes: "Unlink",
  unlinkNo: "Keep",
  unlinked: (username) => `Telegram is unlinked from the account ${username}.`,
  stillLinked: "All right, everything stays as it was.",
  filesBelow: "To get a device's file and QR code, press its name.",
  fileQuestion: (name) =>
    `Send the file and QR code of “${name}” here? The VPN works for anyone who gets them. They stay in this chat until you delete them.`,
  fileYes: "Send the file",
  fileNo: "No",
  file: (name, app) => `The file of “${name}”. Open it in the ${app} app.`,
  fileQr: (name, app) => `The QR code of “${name}”: press “+” in the ${app} app and point the camera at it.`,
  fileSent: (name) => `The file of “${name}” was sent. Delete it from the chat once the VPN is set up.`,
  fileKept: "All right, the file was not sent.",
  toPage: "Open the dashboard",
  passwordQuestion: "Send a link for setting a new password? The old one works until you set a new one.",
  passwordYes: "Send it",
  passwordNo: "No",
  passwordLink: (link) =>
    `Open it and set a new password: ${link}\n\nThe link is valid for a day and works once. Do not share it.`,
  passwordKept: "All right, your password stays as it was.",
  passwordByAdmin: "Only the club's administrator can give a link for a new password.",
  lostYes: "Yes, a device is lost",
  lostNo: "That was not me",
  lostWhich:
    "Which device is lost? Its key stops working at once, a new file comes here, and every device has to sign in to the dashboard again.",
  lostNone: "Disconnect nothing",
  lostCut: (name) =>
    `The old key of “${name}” no longer works, and every device was signed out of the dashboard. The new file was sent here: delete it from the chat once the VPN is set up. If this Telegram was on the lost phone too, end its session there. Forgot your password: /password.`,
  lostCutOnly: (name) =>
    `The old key of “${name}” no longer works, and every device was signed out of the dashboard. There is no new file yet.`,
  lostNothing: "You have no devices, so there is nothing to disconnect. Every device was signed out of the dashboard.",
  lostOver:
    "This request has already been handled, or is too old. For a device's file: /configs. For another lost device: /lost.",
  lostDeclined:
    "All right, nothing was disconnected. Somebody else knows your username, but can do nothing with it without the password and this chat.",
  lostKept: "All right, nothing was disconnected.",
  account: (username) => `Account: ${username}`,
  subscription: {
    unlimited: "Unlimited subscription",
    referral: "Subscription: no end date, while three of your friends have an active subscription",
    none: "Subscription: not active",
    until: (day) => `Subscription until ${day}`,
    trial: (day) => `Trial until ${day}`,
    expired: (day) => `Subscription expired on ${day}`,
    grace: (ended, until) => `Subscription expired on ${ended}, your devices work until ${until}`,
  },
  slow: (day, mbit) => `This month's traffic is used up. Slow until ${day}: ${mbit} Mbit/s`,
  quota: (day) => `This month's traffic is used up. The VPN comes back by itself on ${day}`,
  devices: (count, limit) => (limit === null ? `Devices: ${count}` : `Devices: ${count} of ${limit}`),
  noDevices: "No devices yet. Create the first one on the club's page.",
  more: (count) => `and ${count} more`,
  device: {
    online: "connected",
    seen: (age) => `connected ${age}`,
    never: "not connected yet",
    pending: "waiting to be applied",
    server_away: "the server does not answer, we are on it",
    blocked: "blocked by an administrator",
    dormant: "off: not connected in a long time, switch it on in your dashboard",
    ended: "off: its time is over",
    no_subscription: "off: no subscription",
    quota: "off: traffic is used up",
    interface_off: "off: the interface is not active",
  },
};

export const words: Record<Language, Words> = { ru, en };

/** Russian unless the person's Telegram speaks English. */
export const languageOf = (code: string | undefined): Language => (code?.toLowerCase().startsWith("en") ? "en" : "ru");
