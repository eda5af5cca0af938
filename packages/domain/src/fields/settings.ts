import { DEFAULT_CONFIG_LIMIT } from "../config-rules.ts";
import { OWN_CODES_PER_MONTH } from "../invite-rules.ts";
import { JOINS_PER_ADDRESS, JOINS_PER_CODE } from "../joining-limits.ts";
import { DEFAULT_TIME_ZONE } from "../time-zone.ts";
import type { Fields } from "./field.ts";
import { MEMBER_FIELDS } from "./member.ts";

const { vpnConfigLimit, quotaBytes, quotaAtEnd, quotaSlowMbit } = MEMBER_FIELDS;

/** The club's settings that share a form, each with its value until an admin changes it. */
export const CLUB_SETTINGS = {
  /** Hours for which a subscription still counts after its end (decisions, section 1); a year at most. */
  graceHours: { kind: "count", most: 8_760, edited: true, first: 0, ru: "отсрочка, часов", en: "grace hours" },
  /** Invite codes that a member may make in a month (decisions, section 4). */
  ownCodesPerMonth: {
    kind: "count",
    most: 1_000,
    edited: true,
    first: OWN_CODES_PER_MONTH,
    ru: "кодов участника в месяц",
    en: "member's codes a month",
  },
  /** Members that may join from one address, and by one invite code, within a day. With less than one, nobody could. */
  joinsPerAddressPerDay: {
    kind: "count",
    least: 1,
    most: 10_000,
    edited: true,
    first: JOINS_PER_ADDRESS,
    ru: "регистраций в сутки с одного адреса",
    en: "registrations a day from one address",
  },
  joinsPerCodePerDay: {
    kind: "count",
    least: 1,
    most: 10_000,
    edited: true,
    first: JOINS_PER_CODE,
    ru: "регистраций в сутки по одному коду",
    en: "registrations a day with one code",
  },
  newMemberConfigLimit: {
    ...{ kind: vpnConfigLimit.kind, most: vpnConfigLimit.most, edited: true, first: DEFAULT_CONFIG_LIMIT },
    ru: "лимит конфигов новых участников",
    en: "new members' config limit",
  },
  /** Bytes that new members may use in a month, null: any number; and what happens at the limit. */
  newMemberQuotaBytes: { ...quotaBytes, ru: "трафик новых участников в месяц", en: "new members' traffic a month" },
  newMemberQuotaAtEnd: {
    ...quotaAtEnd,
    ru: "когда трафик новых участников закончится",
    en: "when new members' traffic runs out",
  },
  newMemberQuotaSlowMbit: {
    ...quotaSlowMbit,
    ru: "скорость новых участников после трафика, Мбит/с",
    en: "new members' speed after the traffic, Mbit/s",
  },
  /** Days after which a device that does not connect is switched off (ADR 186); 0: never, and otherwise 30 at least. */
  dormantAfterDays: {
    kind: "count",
    most: 3_650,
    edited: true,
    first: 0,
    ru: "отключать устройства без подключений через, дней",
    en: "days until unused devices are switched off",
  },
  /** Hours of the club's day in which no notice that can wait is sent; equal values: none. */
  quietFrom: { kind: "count", most: 23, edited: true, first: 23, ru: "тихие часы с", en: "quiet hours from" },
  quietUntil: { kind: "count", most: 23, edited: true, first: 8, ru: "тихие часы до", en: "quiet hours until" },
  /** IANA name; the environment's overrides it. */
  clubTimeZone: { kind: "text", most: 64, edited: true, first: DEFAULT_TIME_ZONE, ru: "часовой пояс", en: "time zone" },
} as const satisfies Fields;

/** Those with a form of their own. */
export const OTHER_SETTINGS = {
  /** Countries that the security gate blocks, ISO 3166-1 alpha-2 (specification, member's side 9). */
  blockedCountries: {
    kind: "text",
    list: true,
    first: ["UA", "KZ", "NL"],
    ru: "закрытые страны",
    en: "blocked countries",
  },
  /** Addresses and networks that the security gate always lets pass (decisions, section 9). */
  gateExceptions: { kind: "text", list: true, first: [], ru: "адреса без проверки", en: "addresses that always pass" },
  /** How to reach support without signing in; null until an admin sets it (decisions, section 9). */
  supportContact: {
    kind: "text",
    nullable: true,
    first: null,
    ru: "как связаться с поддержкой",
    en: "how to reach support",
  },
  /** Another https address of the panel, for members who cannot reach this one (ADR 123). */
  mirrorUrl: { kind: "text", nullable: true, first: null, ru: "зеркало портала", en: "mirror of the panel" },
  /** Whether new configs need a linked Telegram account, once the club has a bot (decisions, section 8). */
  telegramRequired: { kind: "flag", first: 1, ru: "нужен Telegram", en: "Telegram required" },
  /** Whether staff may act by the club's bot (ADR 157). */
  telegramStaffActs: { kind: "flag", first: 1, ru: "действия сотрудников в Telegram", en: "staff act in Telegram" },
  /** A month's price in hundredths of the currency; null if none is set (decisions, section 5). */
  paymentPrice: { kind: "money", nullable: true, first: null, ru: "цена", en: "price" },
  /** What that many months cost when paid at once; null: not offered. */
  paymentPrice3: { kind: "money", nullable: true, first: null, ru: "цена за 3 месяца", en: "price for 3 months" },
  paymentPrice6: { kind: "money", nullable: true, first: null, ru: "цена за 6 месяцев", en: "price for 6 months" },
  paymentPrice12: { kind: "money", nullable: true, first: null, ru: "цена за 12 месяцев", en: "price for 12 months" },
  /** ISO 4217. */
  paymentCurrency: { kind: "text", first: "RUB", ru: "валюта", en: "currency" },
  /** How members are to pay; empty if not written. */
  paymentDetails: { kind: "text", first: "", ru: "реквизиты", en: "payment details" },
} as const satisfies Fields;
