import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { EXITS } from "./key.ts";

/** Servers by which the traffic of others can leave, and the links to them. */
export const exitsQuery = queryOptions({
  queryKey: EXITS,
  queryFn: ({ signal }) => api("GET /admin/exits", { signal }),
});
