import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { SERVERS } from "../servers/index.ts";

export type Exits = Api["GET /admin/exits"]["answer"];

/** Servers by which the traffic of others can leave. */
export const exitsQuery = queryOptions({
  queryKey: [...SERVERS, "exits"],
  queryFn: ({ signal }) => api("GET /admin/exits", { signal }),
});
