import type { QueryClient } from "@tanstack/react-query";
import { endedQuery, meQuery } from "./queries.ts";

/** The panel no longer knows the session of somebody who was signed in: from now on a guest, who is told so. */
export function noteSessionOver(queryClient: QueryClient): void {
  if (queryClient.getQueryData(meQuery.queryKey)) queryClient.setQueryData(endedQuery.queryKey, (why) => why ?? "over");
  queryClient.setQueryData(meQuery.queryKey, null);
}
