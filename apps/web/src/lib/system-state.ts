import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { polled } from "./polled.ts";

/** The state of the panel and its host, for admins. Refreshed while it is shown. */
export const systemQuery = queryOptions({
  queryKey: ["system", "state"],
  queryFn: (asked) => polled(asked, "GET /admin/system"),
  refetchInterval: MINUTE_MS / 2,
});
