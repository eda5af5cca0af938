import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { asViewed, MEMBERS, type StaffRole } from "../../club/staff/index.ts";

export type Pulse = Api["GET /admin/pulse"]["answer"];

/** Among the members' queries, so that a change to any member, and with it a payment, shows at once. */
export const pulseQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: [...MEMBERS, "pulse", role],
    queryFn: ({ signal, client, queryKey }) =>
      api("GET /admin/pulse", {
        query: asViewed(role),
        signal,
        background: client.getQueryData(queryKey) !== undefined,
      }),
    // Counters are read from the servers once a minute.
    refetchInterval: MINUTE_MS,
  });
