import { monthsAfter } from "../period.ts";
import { counter } from "../plural.ts";
import { QUOTA_ENDS } from "../quota-rules.ts";
import { notice } from "./notice.ts";

const subscription = { group: "subscription", canWait: true, audience: "member" } as const;

const MONTHS = {
  ru: "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь".split(" "),
  en: "January February March April May June July August September October November December".split(" "),
};
/** 'ноябрь 2026' for 2026-11. */
const monthIn = (language: "ru" | "en", period: string) =>
  `${MONTHS[language][Number(period.slice(5)) - 1]} ${period.slice(0, 4)}`;

const several = {
  ru: counter("ru", { one: "месяц", few: "месяца", many: "месяцев", other: "месяца" }),
  en: counter("en", { one: "month", other: "months" }),
};
/** 'ноябрь 2026'; of several, also the last and how many: 'ноябрь 2026 – январь 2027 (3 месяца)'. */
export const monthsIn = (language: "ru" | "en", period: string, months = 1) =>
  months === 1
    ? monthIn(language, period)
    : `${monthIn(language, period)} – ${monthIn(language, monthsAfter(period, months - 1))} (${several[language](months)})`;

const quota = { bytes: "bytes", atEnd: QUOTA_ENDS, slowMbit: "positive if any", resetsAt: "moment" } as const;

export const ofSubscription = {
  /** The subscription ends in three days, or within a day. */
  subscription_ends: notice(
    { days: [1, 3], endsAt: "moment" },
    {
      ...subscription,
      door: "payment",
      tone: "warn",
      ru: ({ days, endsAt }, { moment }) => [
        days === 3 ? "Подписка скоро закончится" : "Подписка заканчивается",
        `Действует до ${moment(endsAt)}. Чтобы VPN не отключился, продлите её заранее.`,
      ],
      en: ({ days, endsAt }, { moment }) => [
        days === 3 ? "Your subscription ends soon" : "Your subscription is about to end",
        `It is valid until ${moment(endsAt)}. Extend it before then to keep your VPN on.`,
      ],
    },
  ),
  subscription_ended: notice(
    { endedAt: "moment" },
    {
      ...subscription,
      door: "payment",
      tone: "bad",
      ru: ({ endedAt }, { moment }) => [
        "Подписка закончилась",
        `Действовала до ${moment(endedAt)}. Конфиги сохранены и заработают сами после оплаты.`,
      ],
      en: ({ endedAt }, { moment }) => [
        "Your subscription has ended",
        `It was valid until ${moment(endedAt)}. Your configs are kept and work again once you have paid.`,
      ],
    },
  ),
  /** Access earned by friends ends with this friend's subscription, or has ended. */
  referral_ends: notice(
    { days: [1, 3], endsAt: "moment", friend: "person" },
    {
      ...subscription,
      door: "payment",
      tone: "warn",
      ru: ({ days, endsAt, friend }, { moment }) => [
        days === 3 ? "Бесплатная подписка скоро закончится" : "Бесплатная подписка заканчивается",
        `У друга (${friend}) подписка до ${moment(endsAt)}. Если её не продлят, клубом будут пользоваться меньше трёх ваших друзей, и ваша бесплатная тоже закончится.`,
      ],
      en: ({ days, endsAt, friend }, { moment }) => [
        days === 3 ? "Your free subscription ends soon" : "Your free subscription is about to end",
        `The subscription of a friend (${friend}) is valid until ${moment(endsAt)}. Unless it is extended, fewer than three of your friends use the club, and your free one ends too.`,
      ],
    },
  ),
  referral_ended: notice(
    { endedAt: "moment" },
    {
      ...subscription,
      door: "payment",
      tone: "bad",
      ru: ({ endedAt }, { moment }) => [
        "Бесплатная подписка закончилась",
        `С ${moment(endedAt)} клубом пользуются меньше трёх ваших друзей. Конфиги сохранены и заработают сами, когда друзей снова станет трое или после оплаты.`,
      ],
      en: ({ endedAt }, { moment }) => [
        "Your free subscription has ended",
        `Since ${moment(endedAt)} fewer than three of your friends use the club. Your configs are kept and work again once there are three again, or once you have paid.`,
      ],
    },
  ),
  /** A friend of the member connected for the first time; so many friends now use the club that the subscription is free. */
  friend_connected: notice(
    { friend: "person" },
    {
      ...subscription,
      door: "invite",
      tone: "done",
      ru: ({ friend }) => [
        `${friend}: первое подключение`,
        "Друг, которого вы пригласили, подключился. Сколько друзей уже с вами, видно в «Пригласить друзей».",
      ],
      en: ({ friend }) => [
        `${friend} has connected`,
        "A friend you invited connected for the first time. 'Invite friends' shows how many are with you.",
      ],
    },
  ),
  referral_earned: notice(
    { friends: "positive" },
    {
      ...subscription,
      door: "invite",
      tone: "done",
      ru: ({ friends }) => [
        "Ваша подписка теперь бесплатна",
        `Клубом пользуются ваши друзья, их уже ${friends}. Подписка действует, пока активна у них, платить не нужно.`,
      ],
      en: ({ friends }) => [
        "Your subscription is free now",
        `Your friends use the club, ${friends} of them. Your subscription lasts while theirs do, and there is nothing to pay.`,
      ],
    },
  ),
  /** The first month (YYYY-MM), how many, and when the paid time ends; null: no end. */
  payment_recorded: notice(
    { period: "text", months: "positive if any", until: "moment or null" },
    {
      ...subscription,
      canWait: false,
      tone: "done",
      ru: ({ period, months, until }, { day }) => [
        `Платёж за ${monthsIn("ru", period, months)} получен`,
        until === null ? "Подписка действует без ограничения." : `Подписка действует до ${day(until)}.`,
      ],
      en: ({ period, months, until }, { day }) => [
        `Payment for ${monthsIn("en", period, months)} received`,
        until === null ? "Your subscription has no end date." : `Your subscription is valid until ${day(until)}.`,
      ],
    },
  ),
  /** A payment was taken back; `until`: the subscription's end now, null: no end, or no subscription. */
  payment_taken_back: notice(
    { period: "text", months: "positive if any", until: "moment or null" },
    {
      ...subscription,
      door: "payment",
      tone: "bad",
      ru: ({ period, months, until }, { day }) => [
        `Платёж за ${monthsIn("ru", period, months)} не подтверждён`,
        `${until === null ? "Подписки по нему больше нет" : `Подписка теперь до ${day(until)}`}. Если это ошибка, напишите в поддержку.`,
      ],
      en: ({ period, months, until }, { day }) => [
        `Payment for ${monthsIn("en", period, months)} was not confirmed`,
        `${until === null ? "It no longer gives a subscription" : `Your subscription is valid until ${day(until)} now`}. If that is a mistake, write to support.`,
      ],
    },
  ),
  /** Staff gave more time. */
  subscription_extended: notice(
    { until: "moment" },
    {
      ...subscription,
      tone: "done",
      ru: ({ until }, { day }) => ["Подписка продлена", `Подписка действует до ${day(until)}.`],
      en: ({ until }, { day }) => ["Your subscription was extended", `Your subscription is valid until ${day(until)}.`],
    },
  ),
  /** Staff undid a confirmation that the member knew of; `until`: the subscription's end now, null: it has ended. */
  payment_undone: notice(
    { period: "text", months: "positive if any", until: "moment or null" },
    {
      ...subscription,
      canWait: false,
      door: "payment",
      tone: "warn",
      ru: ({ period, months, until }, { day }) => [
        `Подтверждение платежа за ${monthsIn("ru", period, months)} отменено`,
        `${until === null ? "Подписка сейчас не действует" : `Подписка действует до ${day(until)}`}. Если вы уже заплатили, второй раз не платите: напишите в поддержку.`,
      ],
      en: ({ period, months, until }, { day }) => [
        `The confirmation of your payment for ${monthsIn("en", period, months)} was undone`,
        `${until === null ? "You have no subscription now" : `Your subscription is valid until ${day(until)}`}. If you have paid already, do not pay again: write to support.`,
      ],
    },
  ),
  /** The same for an extension that staff gave. */
  extension_undone: notice(
    { until: "moment or null" },
    {
      ...subscription,
      canWait: false,
      door: "payment",
      tone: "warn",
      ru: ({ until }, { day }) => [
        "Продление отменено",
        `${until === null ? "Подписка сейчас не действует" : `Подписка действует до ${day(until)}`}. Если это ошибка, напишите в поддержку.`,
      ],
      en: ({ until }, { day }) => [
        "The extension was undone",
        `${until === null ? "You have no subscription now" : `Your subscription is valid until ${day(until)}`}. If that is a mistake, write to support.`,
      ],
    },
  ),
  /** 80 % of the month's traffic quota is used, or all of it; `resetsAt`: when counting starts again. */
  quota_nearly: notice(quota, {
    ...subscription,
    tone: "warn",
    ru: ({ bytes, atEnd, slowMbit, resetsAt }, { size, day }) => [
      "Израсходовано больше 80 % трафика",
      atEnd === "cut"
        ? `На этот месяц у вас ${size(bytes)}. Когда они закончатся, VPN отключится до ${day(resetsAt)}.`
        : slowMbit !== undefined
          ? `На этот месяц у вас ${size(bytes)}. Когда они закончатся, до ${day(resetsAt)} скорость будет ${slowMbit} Мбит/с.`
          : `На этот месяц у вас ${size(bytes)}. Счёт начнётся заново ${day(resetsAt)}.`,
    ],
    en: ({ bytes, atEnd, slowMbit, resetsAt }, { size, day }) => [
      "More than 80% of your traffic is used",
      atEnd === "cut"
        ? `You have ${size(bytes)} this month. Once they are used, the VPN stops until ${day(resetsAt)}.`
        : slowMbit !== undefined
          ? `You have ${size(bytes)} this month. Once they are used, your speed is ${slowMbit} Mbit/s until ${day(resetsAt)}.`
          : `You have ${size(bytes)} this month. Counting starts again on ${day(resetsAt)}.`,
    ],
  }),
  quota_used_up: notice(quota, {
    ...subscription,
    tone: ({ atEnd }) => (atEnd === "cut" ? "bad" : "warn"),
    ru: ({ bytes, atEnd, slowMbit, resetsAt }, { size, day }) => [
      "Трафик на этот месяц израсходован",
      atEnd === "cut"
        ? `Использованы все ${size(bytes)}. VPN отключён и включится сам ${day(resetsAt)}. Нужно раньше? Напишите в поддержку.`
        : slowMbit !== undefined
          ? `Использованы все ${size(bytes)}. До ${day(resetsAt)} медленно: ${slowMbit} Мбит/с. Нужно быстрее? Напишите в поддержку.`
          : `Использованы все ${size(bytes)}. VPN продолжает работать, счёт начнётся заново ${day(resetsAt)}.`,
    ],
    en: ({ bytes, atEnd, slowMbit, resetsAt }, { size, day }) => [
      "This month's traffic is used up",
      atEnd === "cut"
        ? `All ${size(bytes)} are used. The VPN is off and comes back by itself on ${day(resetsAt)}. Do you need it sooner? Write to support.`
        : slowMbit !== undefined
          ? `All ${size(bytes)} are used. Slow until ${day(resetsAt)}: ${slowMbit} Mbit/s. Do you need more? Write to support.`
          : `All ${size(bytes)} are used. The VPN keeps working, and counting starts again on ${day(resetsAt)}.`,
    ],
  }),
};
