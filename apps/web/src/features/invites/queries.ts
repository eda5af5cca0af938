import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";

/** Wrong codes from this address and the end of the ban (ms since 1970, null without one): the server counts. */
export const inviteAttemptsQuery = queryOptions({
  queryKey: ["invite-attempts"],
  queryFn: ({ signal }) => api("GET /auth/invite-attempts", { signal }),
  staleTime: 0,
});
