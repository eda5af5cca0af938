import { TEMPLATE_FIELDS } from "@krug/domain/fields/template";
import { SLOW_MBIT } from "@krug/domain/speed-rules";
import { MOST_TEMPLATES } from "@krug/domain/template-rules";
import { z } from "zod";
import { answered, changeable, expectedOf, settable } from "../described.ts";
import { endpoint } from "../endpoint.ts";
import { Id } from "../fields.ts";

/** Defaults for members who join by it: limit and quota apply at once, services and interface are only preselected. */
export const Template = z.object({ id: Id, ...answered(TEMPLATE_FIELDS) });

const fields = settable(TEMPLATE_FIELDS);
/** Callers from before speed limits don't name one. */
const NewTemplate = z.strictObject({
  ...fields,
  quotaSlowMbit: fields.quotaSlowMbit.default(SLOW_MBIT),
  speedMbit: fields.speedMbit.default(null),
});

const refusals = ["template.name_taken", "service.unknown", "interface.unknown"] as const;
/** Beyond the specifications. */
export const templates = {
  list: endpoint("GET /admin/templates", {
    needs: "members.see",
    scope: "members:read",
    summary: "The templates for new members, by name",
    answer: z.array(Template).max(MOST_TEMPLATES),
  }),
  add: endpoint("POST /admin/templates", {
    needs: "members.change",
    scope: "members:write",
    summary: "Add a template for new members; as the default it replaces the previous one",
    body: NewTemplate,
    answer: Template,
    status: 201,
    creation: true,
    refusals: ["template.too_many", ...refusals],
  }),
  change: endpoint("PUT /admin/templates/{id}", {
    needs: "members.change",
    scope: "members:write",
    summary: "Change a template for new members; existing members keep what they started with",
    body: z.strictObject({ ...changeable(TEMPLATE_FIELDS), expected: expectedOf(TEMPLATE_FIELDS) }),
    answer: Template,
    refusals: ["template.not_found", "template.changed_meanwhile", ...refusals],
  }),
  remove: endpoint("DELETE /admin/templates/{id}", {
    needs: "members.change",
    scope: "members:write",
    summary: "Delete a template: its codes then give the default; existing members keep what they started with",
    refusals: ["template.not_found"],
  }),
};

export type TemplateAnswer = z.output<typeof Template>;
