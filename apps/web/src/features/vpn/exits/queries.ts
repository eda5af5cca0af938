import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { SERVERS } from "../servers/index.ts";

/** Servers by which the traffic of others can leave. */
export const exitsQuery = queryOptions({
  queryKey: [...SERVERS, "exits"],
  queryFn: ({ signal }) => api("GET /admin/exits", { signal }),
});
