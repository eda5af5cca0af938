import type { QuotaEnd } from "@krug/domain/quota-rules";

export type TemplateTables = {
  templates: {
    id: string;
    name: string;
    /** Lower case: names are unique without regard to it. */
    name_key: string;
    /** JSON list; a service that the catalogue no longer has stays in it and is ignored. */
    service_ids: string;
    interface_id: string | null;
    /** -1 = no limit. */
    config_limit: number;
    /** Bytes a month; null: any. */
    quota_bytes: number | null;
    quota_at_end: QuotaEnd;
    /** 1 for at most one: the default. */
    is_default: number;
    created_at: number;
  };
  /** What members started with; limit and quota are in their own rows. */
  member_templates: {
    member_id: string;
    name: string;
    /** JSON list. */
    service_ids: string;
    interface_id: string | null;
  };
};

export type TemplateRow = TemplateTables["templates"];
