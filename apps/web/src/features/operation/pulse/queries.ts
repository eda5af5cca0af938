import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { polled } from "../../../lib/polled.ts";
import { asViewed, MEMBERS, type StaffRole } from "../../club/staff/index.ts";

export type Pulse = Api["GET /admin/pulse"]["answer"];

/** Among the members' queries, so that a change to any member, and with it a payment, shows at once. */
export const pulseQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: [...MEMBERS, "pulse", role],
    queryFn: (asked) => polled(asked, "GET /admin/pulse", { query: asViewed(role) }),
    // Counters are read from the servers once a minute.
    refetchInterval: MINUTE_MS,
  });
