import { DEFAULT_CONFIG_LIMIT, HIGHEST_CONFIG_LIMIT } from "../config-rules.ts";
import { QUOTA_ENDS } from "../quota-rules.ts";
import { ROLES } from "../roles.ts";
import { HIGHEST_SPEED_MBIT, SLOW_MBIT } from "../speed-rules.ts";
import type { Fields } from "./field.ts";

/** What staff set about a member. Names, secrets and the panel's counters are only in the rows (`members/table.ts`). */
export const MEMBER_FIELDS = {
  username: { kind: "text", column: "username", ru: "логин", en: "login" },
  displayName: {
    kind: "text",
    column: "display_name",
    twin: "display_name",
    most: 200,
    edited: true,
    ru: "имя",
    en: "name",
  },
  role: {
    kind: "choice",
    column: "role",
    of: ROLES,
    edited: true,
    first: "user",
    gone: "user",
    ru: "роль",
    en: "role",
  },
  /** The role an admin gave, until the password is long enough for it; then it moves to `role`. */
  pendingRole: {
    kind: "choice",
    column: "pending_role",
    of: ROLES,
    nullable: true,
    first: null,
    ru: "роль после смены пароля",
    en: "role once the password is long enough",
  },
  isActive: {
    kind: "flag",
    column: "is_active",
    twin: "is_active",
    edited: true,
    first: 1,
    gone: 0,
    ru: "активен",
    en: "active",
  },
  isVip: { kind: "flag", column: "is_vip", twin: "is_vip", edited: true, first: 0, ru: "VIP", en: "VIP" },
  isUnlimited: {
    kind: "flag",
    column: "is_unlimited",
    twin: "is_unlimited",
    edited: true,
    first: 0,
    gone: 0,
    ru: "безлимит",
    en: "unlimited",
  },
  vpnConfigLimit: {
    kind: "limit",
    column: "config_limit",
    twin: "vpn_config_limit",
    most: HIGHEST_CONFIG_LIMIT,
    edited: true,
    first: DEFAULT_CONFIG_LIMIT,
    ru: "лимит конфигов",
    en: "config limit",
  },
  /** Staff have blocked the member's configs, existing and new, whatever happens to the account. */
  configsBlocked: {
    kind: "flag",
    column: "configs_blocked",
    inner: true,
    first: 0,
    ru: "конфиги заблокированы",
    en: "configs blocked",
  },
  /** Traffic the member may use in one of the club's months, both directions together; null: no quota. */
  quotaBytes: {
    kind: "bytes",
    column: "quota_bytes",
    nullable: true,
    edited: true,
    first: null,
    ru: "трафик в месяц",
    en: "traffic a month",
  },
  quotaAtEnd: {
    kind: "choice",
    column: "quota_at_end",
    of: QUOTA_ENDS,
    edited: true,
    first: "cut",
    ru: "когда трафик закончится",
    en: "when traffic runs out",
  },
  /** How fast the member is once the quota is used up, if its end slows down, Mbit/s. */
  quotaSlowMbit: {
    kind: "count",
    column: "quota_slow_mbit",
    least: 1,
    most: HIGHEST_SPEED_MBIT,
    edited: true,
    first: SLOW_MBIT,
    ru: "скорость после трафика, Мбит/с",
    en: "speed after the traffic, Mbit/s",
  },
  /** On each server and in each direction, all devices together, Mbit/s; null: any speed. */
  speedMbit: {
    kind: "count",
    column: "speed_mbit",
    nullable: true,
    least: 1,
    most: HIGHEST_SPEED_MBIT,
    edited: true,
    first: null,
    ru: "предел скорости, Мбит/с",
    en: "speed limit, Mbit/s",
  },
  subscriptionEnd: {
    kind: "day",
    column: "subscription_end",
    twin: "subscription_end",
    nullable: true,
    edited: true,
    first: null,
    ru: "подписка до",
    en: "subscription until",
  },
  /** `trial` gives no right to invite; null if there was none. */
  subscriptionSource: {
    kind: "choice",
    column: "subscription_source",
    of: ["trial", "code", "staff", "payment"],
    nullable: true,
    inner: true,
    first: null,
    ru: "откуда подписка",
    en: "subscription by",
  },
  createdAt: { kind: "moment", column: "created_at", twin: "created_at", ru: "в клубе с", en: "joined" },
} as const satisfies Fields;
