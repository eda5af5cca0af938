import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type Choices = Api["GET /inbox/choices"]["answer"];

export const choicesQuery = queryOptions({
  queryKey: ["notice-choices"],
  queryFn: ({ signal }) => api("GET /inbox/choices", { signal }),
});
