import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { polledQuery } from "../../../lib/query.ts";
import { asViewed, MEMBERS, type StaffRole } from "../../club/staff/index.ts";

export type Pulse = Api["GET /admin/pulse"]["answer"];

/** Among the members' queries, so that a change to any member, and with it a payment, shows at once. */
export const pulseQuery = (role: StaffRole) =>
  polledQuery([...MEMBERS, "pulse", role], "GET /admin/pulse", {
    query: asViewed(role),
    // Counters are read from the servers once a minute.
    refetchInterval: MINUTE_MS,
  });
