import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";

export type AnswerTemplate = Api["GET /admin/support/answer-templates"]["answer"][number];
export type AnswerTemplateChange = Api["PUT /admin/support/answer-templates/{id}"]["body"];

export const ANSWER_TEMPLATES = ["answer-templates"] as const;

/** Refetched whenever they are opened, to include colleagues' changes. */
export const answerTemplatesQuery = query(ANSWER_TEMPLATES, "GET /admin/support/answer-templates", { staleTime: 0 });
