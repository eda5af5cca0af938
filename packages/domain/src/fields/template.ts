import { MOST_TEMPLATE_NAME_LETTERS } from "../template-rules.ts";
import type { Fields } from "./field.ts";
import { MEMBER_FIELDS } from "./member.ts";

const { quotaBytes, quotaAtEnd, quotaSlowMbit, speedMbit } = MEMBER_FIELDS;

/** What a template for new members has. Services and interface are preselected; null or none: the form's usual choice. */
export const TEMPLATE_FIELDS = {
  name: { kind: "text", least: 1, most: MOST_TEMPLATE_NAME_LETTERS, edited: true, ru: "название", en: "name" },
  services: { kind: "id", list: true, column: "service_ids", most: 500, edited: true, ru: "сервисы", en: "services" },
  interfaceId: {
    kind: "id",
    column: "interface_id",
    nullable: true,
    edited: true,
    ru: "номер интерфейса",
    en: "interface's id",
  },
  configLimit: {
    kind: "limit",
    column: "config_limit",
    most: MEMBER_FIELDS.vpnConfigLimit.most,
    edited: true,
    ru: "лимит конфигов",
    en: "config limit",
  },
  quotaBytes,
  quotaAtEnd,
  quotaSlowMbit,
  speedMbit,
  /** For everyone who joins without another template. At most one is the default. */
  isDefault: { kind: "flag", column: "is_default", edited: true, ru: "по умолчанию", en: "by default" },
} as const satisfies Fields;
