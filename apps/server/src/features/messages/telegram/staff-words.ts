import type { Language } from "@krug/contract/refusals";
import { counter } from "@krug/domain/plural";

export interface StaffWords {
  confirm: string;
  months(count: number): string;
  decline: string;
  receipt: string;
  open: string;
  /** Under a claim that somebody decided on. */
  confirmed(who: string, when: string): string;
  declined(who: string, when: string, reason: string | null): string;
  /** Before it was recorded who decides, and colleagues whom the reader must not know. */
  somebody: string;
  claimGone: string;
  /** Instead of a message about a member who was deleted. */
  gone: string;
  askReason: string;
  noReason: string;
  cancel: string;
  cancelled: string;
  /** Before an act in a chat that has not been confirmed for 12 hours. */
  askCode: string;
  codeWanted: string;
  /** After a member's /help. */
  help: string;
  check: string;
  move: string;
  serverGone: string;
  answers(name: string): string;
  notYet(name: string): string;
  noTargets(name: string): string;
  whereTo(name: string, what: { devices: number; members: number; keysInBrowser: number }): string;
  target(name: string, free: number): string;
  moving(from: string, to: string, devices: number): string;
  nobodyDue: string;
  due(count: number): string;
  andMore(count: number): string;
  claims(count: number): string;
  /** Before it is switched. */
  maintenanceOn: string;
  maintenanceOff: string;
  maintenanceIsOn: string;
  maintenanceIsOff: string;
  answered(name: string): string;
  replyWithText: string;
  notStaff: string;
  switchedOff: string;
}

const ru: StaffWords = {
  confirm: "Подтвердить",
  months: counter("ru", { one: "месяц", few: "месяца", many: "месяцев", other: "месяца" }),
  decline: "Отклонить",
  receipt: "Чек",
  open: "Открыть",
  confirmed: (who, when) => `Подтверждено: ${who}, ${when}`,
  declined: (who, when, reason) => `Отклонено: ${who}, ${when}${reason === null ? "" : `\nПричина: ${reason}`}`,
  somebody: "кто-то из сотрудников",
  claimGone: "Этой заявки больше нет: участник её отозвал или удалён.",
  gone: "Этого сообщения больше нет: участник удалён.",
  askReason: "Почему отклонить? Следующее сообщение увидит участник, до 300 символов.",
  noReason: "Отклонить без причины",
  cancel: "Отмена",
  cancelled: "Хорошо, ничего не сделано.",
  askCode:
    "Сначала подтвердите, что это вы: отправьте сюда код из приложения двухфакторной защиты. Затем 12 часов он не понадобится.",
  codeWanted: "Жду код из приложения: шесть цифр.",
  help: [
    "Для сотрудников:",
    "/due: кто платит сегодня",
    "/maintenance: включить или выключить техработы",
    "Чтобы ответить участнику в поддержке, ответьте на его сообщение здесь: текстом или картинкой.",
  ].join("\n"),
  check: "Проверить",
  move: "Перенести устройства",
  serverGone: "Этого сервера больше нет.",
  answers: (name) => `Сервер «${name}» отвечает.`,
  notYet: (name) => `Сервер «${name}» ответил, но ещё не приведён в порядок. Проверьте ещё раз через минуту.`,
  noTargets: (name) =>
    `С сервера «${name}» переносить некуда: нет другого настроенного сервера, который принимает новые конфиги.`,
  whereTo: (name, { devices, members, keysInBrowser }) =>
    [
      `Куда перенести устройства с сервера «${name}»? Он перестанет принимать новые конфиги, а участникам понадобятся новые файлы.`,
      `Устройств: ${devices}, участников: ${members}.`,
      ...(keysInBrowser > 0 ? [`Останутся: ${keysInBrowser}, их ключи есть только в браузерах.`] : []),
    ].join("\n"),
  target: (name, free) => `${name}: свободно ${free}`,
  moving: (from, to, devices) => `Переносим с «${from}» на «${to}», устройств: ${devices}. Участники узнают сами.`,
  nobodyDue: "Сегодня ни у кого не заканчивается подписка.",
  due: (count) => `Сегодня заканчивается подписка, участников: ${count}`,
  andMore: (count) => `и ещё ${count}`,
  claims: (count) => `Ждут подтверждения оплаты: ${count}`,
  maintenanceOn:
    "Техработы выключены. Чтобы включить их, отправьте код из приложения двухфакторной защиты. Участники увидят, что портал на обслуживании, VPN продолжит работать.",
  maintenanceOff: "Техработы включены. Чтобы выключить их, отправьте код из приложения двухфакторной защиты.",
  maintenanceIsOn: "Техработы включены.",
  maintenanceIsOff: "Техработы выключены.",
  answered: (name) => `Ответ отправлен: ${name}.`,
  replyWithText: "Ответить участнику можно текстом или картинкой.",
  notStaff: "Это могут только сотрудники клуба.",
  switchedOff: "Администратор выключил действия сотрудников в Telegram. Откройте панель.",
};

const en: StaffWords = {
  confirm: "Confirm",
  months: counter("en", { one: "month", other: "months" }),
  decline: "Decline",
  receipt: "Receipt",
  open: "Open",
  confirmed: (who, when) => `Confirmed: ${who}, ${when}`,
  declined: (who, when, reason) => `Declined: ${who}, ${when}${reason === null ? "" : `\nReason: ${reason}`}`,
  somebody: "one of the staff",
  claimGone: "This claim is gone: the member took it back or was deleted.",
  gone: "This message is gone: the member was deleted.",
  askReason: "Why decline it? The member will see your next message, up to 300 characters.",
  noReason: "Decline without a reason",
  cancel: "Cancel",
  cancelled: "All right, nothing was done.",
  askCode: "First confirm that it is you: send the code from your two-factor app here. It is good for 12 hours.",
  codeWanted: "Waiting for the code from the app: six digits.",
  help: [
    "For staff:",
    "/due: whose subscription ends today",
    "/maintenance: switch maintenance on or off",
    "To answer a member in support, reply to their message here with text or a picture.",
  ].join("\n"),
  check: "Check",
  move: "Move devices",
  serverGone: "This server is gone.",
  answers: (name) => `The server “${name}” answers.`,
  notYet: (name) => `The server “${name}” has answered but is not up to date yet. Check again in a minute.`,
  noTargets: (name) =>
    `There is nowhere to move devices from “${name}”: no other server is set up and takes new configs.`,
  whereTo: (name, { devices, members, keysInBrowser }) =>
    [
      `Where should devices on “${name}” move? It will take no new configs, and members will need new files.`,
      `Devices: ${devices}, members: ${members}.`,
      ...(keysInBrowser > 0 ? [`Staying: ${keysInBrowser}, whose keys only browsers have.`] : []),
    ].join("\n"),
  target: (name, free) => `${name}: ${free} free`,
  moving: (from, to, devices) => `Moving from “${from}” to “${to}”, devices: ${devices}. Members are notified.`,
  nobodyDue: "Nobody's subscription ends today.",
  due: (count) => `Subscriptions that end today: ${count}`,
  andMore: (count) => `and ${count} more`,
  claims: (count) => `Waiting for their payment to be confirmed: ${count}`,
  maintenanceOn:
    "Maintenance is off. To switch it on, send the code from your two-factor app. Members will see that the panel is under maintenance, and the VPN keeps working.",
  maintenanceOff: "Maintenance is on. To switch it off, send the code from your two-factor app.",
  maintenanceIsOn: "Maintenance is on.",
  maintenanceIsOff: "Maintenance is off.",
  answered: (name) => `Your answer was sent: ${name}.`,
  replyWithText: "Answer a member with text or a picture.",
  notStaff: "Only the club's staff can do this.",
  switchedOff: "An admin has switched off staff's acts in Telegram. Open the panel.",
};

export const staffWords: Readonly<Record<Language, StaffWords>> = { ru, en };
