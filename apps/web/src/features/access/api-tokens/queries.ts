import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";

export type ApiToken = Api["GET /api-tokens"]["answer"][number];

export const apiTokensQuery = queryOptions({
  queryKey: ["api-tokens"],
  queryFn: ({ signal }) => api("GET /api-tokens", { signal }),
  staleTime: 0,
});
