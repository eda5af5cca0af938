import { counter } from "../plural.ts";
import { notice } from "./notice.ts";

const wrongCodesEn = counter("en", { one: "wrong invite code", other: "wrong invite codes" });

const joining = { group: "joining", canWait: false, audience: "staff" } as const;

/** About all members, and about who joins. */
export const ofClub = {
  /** Staff answered while the member was away; null: in the chat. */
  support_reply: notice(
    { ticketId: "id or null" },
    {
      group: "support",
      canWait: false,
      audience: "member",
      door: "support",
      tone: "idle",
      ru: ({ ticketId }) => [
        "Поддержка ответила",
        ticketId === null ? "Ответ ждёт в чате." : "Ответ ждёт в вашем обращении.",
      ],
      en: ({ ticketId }) => [
        "Support has answered",
        ticketId === null ? "The answer is in the chat." : "The answer is in your ticket.",
      ],
    },
  ),
  maintenance_began: notice(
    { since: "moment" },
    {
      group: "club",
      canWait: true,
      audience: "member",
      tone: "wait",
      ru: ({ since }, { moment }) => [
        "Начались технические работы",
        `С ${moment(since)}. VPN на это время не отключается.`,
      ],
      en: ({ since }, { moment }) => ["Maintenance has begun", `Since ${moment(since)}. Your VPN stays on during it.`],
    },
  ),
  maintenance_ended: notice(
    { since: "moment", until: "moment" },
    {
      group: "club",
      canWait: true,
      audience: "member",
      tone: "done",
      ru: ({ since, until }, { moment }) => [
        "Технические работы закончились",
        `Шли с ${moment(since)} до ${moment(until)}. VPN всё это время работал.`,
      ],
      en: ({ since, until }, { moment }) => [
        "Maintenance is over",
        `It lasted from ${moment(since)} to ${moment(until)}. Your VPN worked throughout.`,
      ],
    },
  ),
  /** In an admin's own words. */
  staff_message: notice(
    { text: "written" },
    {
      group: null,
      canWait: true,
      audience: "member",
      tone: "idle",
      ru: ({ text }) => ["Сообщение от администрации", text],
      en: ({ text }) => ["A message from the club's staff", text],
      locked: {
        ru: ["Сообщение от администрации", "Прочитать можно в кабинете."],
        en: ["A message from the club's staff", "Read it in your dashboard."],
      },
    },
  ),
  ticket_opened: notice(
    { ticketId: "id", subject: "written", member: "person" },
    {
      group: "tickets",
      canWait: false,
      audience: "staff",
      tone: "idle",
      page: "/admin/support",
      ru: ({ member, subject }) => [`Новое обращение: ${member}`, subject],
      en: ({ member, subject }) => [`New ticket: ${member}`, subject],
      locked: {
        ru: ["Новое обращение", "Прочитать можно в панели."],
        en: ["New ticket", "Read it in the panel."],
      },
    },
  ),
  member_joined: notice(
    { memberId: "id", username: "person" },
    {
      ...joining,
      tone: "idle",
      page: "/admin/users",
      ru: ({ username }) => [`Новый участник: ${username}`, "Вошёл по коду приглашения."],
      en: ({ username }) => [`New member: ${username}`, "Joined with an invite code."],
      locked: {
        ru: ["Новый участник", "Вошёл по коду приглашения."],
        en: ["New member", "Joined with an invite code."],
      },
    },
  ),
  /**
   * An address or a code (this one) reached its daily limit of new members. The number is left out: moderators would see that
   * their list of members is shorter, and so that VIP members exist.
   */
  joining_limited: notice(
    { by: ["address", "code"], codeId: "id or null" },
    {
      ...joining,
      tone: "warn",
      page: "/admin/invites",
      ru: ({ by }) =>
        by === "address"
          ? [
              "Достигнут суточный предел регистраций с одного адреса",
              "Больше оттуда пока никто не зарегистрируется. Посмотрите, кто пришёл; предел задаётся в настройках системы.",
            ]
          : [
              "Достигнут суточный предел регистраций по одному коду",
              "По коду пока больше никто не войдёт. Если он попал не в те руки, деактивируйте его; предел задаётся в настройках системы.",
            ],
      en: ({ by }) =>
        by === "address"
          ? [
              "One address has reached its daily limit of registrations",
              "Nobody else can register from there for now. Check who joined; the limit is in the system settings.",
            ]
          : [
              "One invite code has reached its daily limit of registrations",
              "The code lets nobody else in for now. If it got into the wrong hands, deactivate it; the limit is in the system settings.",
            ],
    },
  ),
  /** So many wrong invite codes came within an hour that somebody may be guessing. */
  codes_guessed: notice(
    { wrongCodes: "positive" },
    {
      ...joining,
      tone: "warn",
      page: "/admin/invites",
      ru: ({ wrongCodes }) => [
        `Неверных кодов приглашения за час: ${wrongCodes}`,
        "Похоже, коды подбирают с разных адресов. Каждый адрес блокируется с пятой ошибки; если волна не спадает, деактивируйте многоразовые коды.",
      ],
      en: ({ wrongCodes }) => [
        `${wrongCodesEn(wrongCodes)} within an hour`,
        "Somebody seems to be guessing codes from many addresses. Each address is banned after its fifth mistake. If this continues, deactivate codes with many uses.",
      ],
    },
  ),
  /** A summary of the club's day for staff, and what waits for them. Only for those who opted in. */
  daily_digest: notice(
    {
      day: "day",
      // What happened that day, and what it brought in.
      joined: "count",
      payments: "count",
      received: "sums",
      ended: "count",
      // Configs in use, and bytes received and sent by all.
      devices: "count",
      bytes: "bytes",
      // At the time of sending: subscriptions that end within three days, work for staff, servers that do not answer.
      ending: "count",
      claims: "count",
      conversations: "count",
      tickets: "count",
      servers: "texts",
    },
    {
      group: "digest",
      canWait: true,
      audience: "staff",
      tone: "idle",
      ru: ({ received, servers, ...figures }, { day, size, money }) => [
        `Сводка за ${day(figures.day)}`,
        listed([
          [true, `Устройств на связи: ${figures.devices}, трафик: ${size(figures.bytes)}`],
          [figures.joined, `Новых участников: ${figures.joined}`],
          [figures.payments, [`Платежей: ${figures.payments}`, ...sumsOf(received, money, "получено ")].join(", ")],
          [figures.ended, `Подписок закончилось: ${figures.ended}`],
          [figures.ending, `Закончится за три дня: ${figures.ending}`],
          [figures.claims, `Ждут подтверждения оплаты: ${figures.claims}`],
          [figures.conversations, `Ждут ответа поддержки: ${figures.conversations}`],
          [figures.tickets, `Открытых обращений: ${figures.tickets}`],
          [servers.length, `Не отвечают серверы: ${servers.join(", ")}`],
        ]),
      ],
      en: ({ received, servers, ...figures }, { day, size, money }) => [
        `Summary of ${day(figures.day)}`,
        listed([
          [true, `Devices connected: ${figures.devices}, traffic: ${size(figures.bytes)}`],
          [figures.joined, `New members: ${figures.joined}`],
          [figures.payments, [`Payments: ${figures.payments}`, ...sumsOf(received, money, "received ")].join(", ")],
          [figures.ended, `Subscriptions ended: ${figures.ended}`],
          [figures.ending, `Ending within three days: ${figures.ending}`],
          [figures.claims, `Waiting for their payment to be confirmed: ${figures.claims}`],
          [figures.conversations, `Waiting for support's answer: ${figures.conversations}`],
          [figures.tickets, `Open tickets: ${figures.tickets}`],
          [servers.length, `Servers that do not answer: ${servers.join(", ")}`],
        ]),
      ],
      locked: {
        ru: ["Сводка за вчера", "Прочитать можно в панели."],
        en: ["Yesterday's summary", "Read it in the panel."],
      },
    },
  ),
};

/** One line for each item that is present. */
const listed = (lines: readonly (readonly [there: number | boolean, line: string])[]) =>
  lines.flatMap(([there, line]) => (there ? [line] : [])).join("\n");

function sumsOf(
  received: readonly { amount: string; currency: string }[],
  money: (amount: string, currency: string) => string,
  before: string,
): string[] {
  const all = received.map(({ amount, currency }) => money(amount, currency)).join(", ");
  return all === "" ? [] : [before + all];
}
