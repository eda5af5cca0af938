import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api.ts";

/** What the panel says of itself and of its own host. */
export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: ({ signal }) => api("GET /health", { signal, background: true }),
  refetchInterval: MINUTE_MS / 4,
});
