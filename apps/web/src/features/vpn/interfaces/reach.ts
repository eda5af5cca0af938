import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { SERVERS } from "../servers/index.ts";

export type Reach = Api["GET /admin/servers/interfaces/{id}/reach"]["answer"];

export const reachQuery = (id: string, span: "day" | "month") =>
  queryOptions({
    queryKey: [...SERVERS, "reach", id, span],
    queryFn: ({ signal }) =>
      api("GET /admin/servers/interfaces/{id}/reach", { params: { id }, query: { span }, signal }),
    refetchInterval: MINUTE_MS,
  });
