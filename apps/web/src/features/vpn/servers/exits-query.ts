import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { SERVERS } from "./key.ts";

/** Servers by which the traffic of others can leave, and the links to them. */
export const exitsQuery = queryOptions({
  queryKey: [...SERVERS, "exits"],
  queryFn: ({ signal }) => api("GET /admin/exits", { signal }),
});
