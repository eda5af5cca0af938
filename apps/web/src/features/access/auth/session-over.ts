import type { QueryClient } from "@tanstack/react-query";
import { endedQuery, meQuery } from "./queries.ts";

/** The panel no longer knows a signed-in person's session: they become a guest and are informed. */
export function noteSessionOver(queryClient: QueryClient): void {
  if (queryClient.getQueryData(meQuery.queryKey)) queryClient.setQueryData(endedQuery.queryKey, (why) => why ?? "over");
  queryClient.setQueryData(meQuery.queryKey, null);
}
