import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { query } from "../../../lib/query.ts";
import { SERVERS } from "../servers/index.ts";

export type Reach = Api["GET /admin/servers/interfaces/{id}/reach"]["answer"];

export const reachQuery = (id: string, span: "day" | "month") =>
  query([...SERVERS, "reach", id, span], "GET /admin/servers/interfaces/{id}/reach", {
    params: { id },
    query: { span },
    refetchInterval: MINUTE_MS,
  });
