import { MOST_ANSWER_LETTERS, MOST_ANSWER_TEMPLATES, MOST_ANSWER_TITLE_LETTERS } from "@krug/domain/answer-templates";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, lines } from "../fields.ts";

/** A text that staff start answers from. `content` may name facts of the member: {имя} or {name}, {логин} or {username}. */
export const AnswerTemplate = z.object({ id: Id, title: z.string(), content: z.string() });

const Wish = z.strictObject({ title: line(MOST_ANSWER_TITLE_LETTERS), content: lines(MOST_ANSWER_LETTERS) });
const refusals = ["answer_template.title_taken", "answer_template.placeholder_unknown"] as const;

/** Beyond the specifications. Those who answer use them, admins edit them. */
export const answerTemplates = {
  list: endpoint("GET /admin/support/answer-templates", {
    needs: "support.answer",
    scope: "support:read",
    summary: "The texts that staff start answers with, by title",
    answer: z.array(AnswerTemplate).max(MOST_ANSWER_TEMPLATES),
  }),
  add: endpoint("POST /admin/support/answer-templates", {
    needs: "answer_templates.change",
    scope: "support:write",
    summary: "Add a text for answers; in it {имя} or {name} is the member's name, {логин} or {username} the username",
    body: Wish,
    answer: AnswerTemplate,
    status: 201,
    creation: true,
    refusals: ["answer_template.too_many", ...refusals],
  }),
  change: endpoint("PUT /admin/support/answer-templates/{id}", {
    needs: "answer_templates.change",
    scope: "support:write",
    summary: "Change a text for answers; what was sent stays as it was",
    body: Wish.partial().extend({
      /** The values the editor saw in the fields being changed: if one differs now, the change is refused. */
      expected: z
        .strictObject({
          title: z.string().max(MOST_ANSWER_TITLE_LETTERS),
          content: z.string().max(MOST_ANSWER_LETTERS),
        })
        .partial()
        .optional(),
    }),
    answer: AnswerTemplate,
    refusals: ["answer_template.not_found", "answer_template.changed_meanwhile", ...refusals],
  }),
  remove: endpoint("DELETE /admin/support/answer-templates/{id}", {
    needs: "answer_templates.change",
    scope: "support:write",
    summary: "Delete a text for answers; what was sent stays as it was",
    refusals: ["answer_template.not_found"],
  }),
};

export type AnswerTemplateAnswer = z.output<typeof AnswerTemplate>;
