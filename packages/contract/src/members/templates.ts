import { MOST_TEMPLATE_NAME_LETTERS, MOST_TEMPLATES } from "@krug/domain/template-rules";
import { z } from "zod";
import { endpoint, nothing } from "../endpoint.ts";
import { Flag, Id, line, QuotaBytes } from "../fields.ts";
import { AtQuotaEnd } from "../vpn/traffic.ts";
import { ConfigLimit } from "./members.ts";

const Services = z.array(Id).max(500);
const Terms = {
  configLimit: ConfigLimit,
  /** Bytes a month; null: no quota. */
  quotaBytes: QuotaBytes.nullable(),
  quotaAtEnd: AtQuotaEnd,
};

/** Defaults for members who join by it: limit and quota apply at once, services and interface are only preselected. */
export const Template = z.object({
  id: Id,
  name: z.string(),
  /** Those still in the catalogue; empty: the form's usual choice. */
  services: Services,
  /** null: the form's usual choice. */
  interfaceId: Id.nullable(),
  ...Terms,
  /** For everyone who joins without another template. At most one is the default. */
  isDefault: z.boolean(),
});

const Wish = z.strictObject({
  name: line(MOST_TEMPLATE_NAME_LETTERS),
  services: Services,
  interfaceId: Id.nullable(),
  ...Terms,
  isDefault: Flag,
});

const refusals = ["template.name_taken", "service.unknown", "interface.unknown"] as const;
const TemplatePath = z.object({ id: Id });

/** Beyond the specifications. */
export const templates = {
  list: endpoint({
    method: "GET",
    path: "/admin/templates",
    needs: "members.see",
    summary: "The templates for new members, by name",
    answer: z.array(Template).max(MOST_TEMPLATES),
  }),
  add: endpoint({
    method: "POST",
    path: "/admin/templates",
    needs: "members.change",
    summary: "Add a template for new members; as the default it takes another's place",
    body: Wish,
    answer: Template,
    status: 201,
    creation: true,
    refusals: ["template.too_many", ...refusals],
  }),
  change: endpoint({
    method: "PUT",
    path: "/admin/templates/{id}",
    needs: "members.change",
    summary: "Change a template for new members; those who have joined keep what they began with",
    params: TemplatePath,
    body: Wish.partial().extend({
      /** The values the editor saw in the fields being changed: if one differs now, nothing changes and the editor is told. */
      expected: z
        .strictObject({
          name: z.string().max(MOST_TEMPLATE_NAME_LETTERS),
          services: Services,
          interfaceId: Id.nullable(),
          ...Terms,
          isDefault: z.boolean(),
        })
        .partial()
        .optional(),
    }),
    answer: Template,
    refusals: ["template.not_found", "template.changed_meanwhile", ...refusals],
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/templates/{id}",
    needs: "members.change",
    summary:
      "Delete a template: codes that carry it bring the default; those who have joined keep what they began with",
    params: TemplatePath,
    answer: nothing,
    refusals: ["template.not_found"],
  }),
};

export type TemplateAnswer = z.output<typeof Template>;
export type NewTemplateInput = z.output<typeof Wish>;
