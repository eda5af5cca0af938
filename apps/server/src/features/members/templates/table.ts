import type { ColumnsOf } from "@krug/domain/fields/field";
import type { TEMPLATE_FIELDS } from "@krug/domain/fields/template";

export type TemplateTables = {
  templates: ColumnsOf<typeof TEMPLATE_FIELDS> & {
    id: string;
    /** Lower case: names are unique without regard to it. */
    name_key: string;
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
