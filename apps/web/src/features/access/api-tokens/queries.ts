import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";

export type ApiToken = Api["GET /api-tokens"]["answer"][number];

export const apiTokensQuery = query(["api-tokens"], "GET /api-tokens", { staleTime: 0 });
