import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type AnswerTemplate = Api["GET /admin/support/answer-templates"]["answer"][number];
export type AnswerTemplateChange = Api["PUT /admin/support/answer-templates/{id}"]["body"];

export const ANSWER_TEMPLATES = ["answer-templates"] as const;

/** Refetched whenever they are opened, to include colleagues' changes. */
export const answerTemplatesQuery = queryOptions({
  queryKey: ANSWER_TEMPLATES,
  queryFn: ({ signal }) => api("GET /admin/support/answer-templates", { signal }),
  staleTime: 0,
});
