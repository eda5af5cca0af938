import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

/** How the panel and its own machine are, for admins; looked at again while it is shown. */
export const systemQuery = queryOptions({
  queryKey: ["system", "state"],
  queryFn: ({ signal, client, queryKey }) =>
    api("GET /admin/system", { signal, background: client.getQueryData(queryKey) !== undefined }),
  refetchInterval: MINUTE_MS / 2,
});
