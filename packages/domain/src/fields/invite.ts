import type { Fields } from "./field.ts";

/** What a staff code grants. Days are counted from registration; without days or an end date it gives the trial. */
export const INVITE_FIELDS = {
  maxUses: {
    kind: "limit",
    column: "max_uses",
    least: 1,
    most: 1_000_000,
    edited: true,
    ru: "использований",
    en: "uses",
  },
  interfaces: {
    kind: "id",
    list: true,
    column: "interface_ids",
    least: 1,
    most: 100,
    edited: true,
    ru: "интерфейсы",
    en: "interfaces",
  },
  expiresAt: {
    kind: "day",
    column: "expires_at",
    nullable: true,
    edited: true,
    ru: "действует до",
    en: "valid until",
  },
  subscriptionDays: {
    kind: "count",
    column: "subscription_days",
    nullable: true,
    least: 1,
    most: 36_500,
    edited: true,
    ru: "дней подписки",
    en: "days of subscription",
  },
  subscriptionEndDate: {
    kind: "day",
    column: "subscription_end",
    nullable: true,
    edited: true,
    ru: "подписка до",
    en: "subscription until",
  },
  /** For members who join by it; null: the default. */
  templateId: { kind: "id", column: "template_id", nullable: true, edited: true, ru: "шаблон", en: "template" },
  /** Once deactivated, a code stays so. */
  isActive: { kind: "flag", column: "is_active", twin: "is_active", ru: "активен", en: "active" },
} as const satisfies Fields;
