import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

/** The state of the panel and its host, for admins. Refreshed while it is shown. */
export const systemQuery = queryOptions({
  queryKey: ["system", "state"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /admin/system", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: MINUTE_MS / 2,
});
