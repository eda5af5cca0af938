import { MINUTE_MS } from "@krug/domain/moment";
import { query } from "../../../lib/query.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";
import type { Config } from "./queries.ts";

export type CheckedDevice = Pick<Config, "id" | "name" | "keyOrigin" | "tunnel">;

/** What the member would see now: recomputed when it is viewed again, and on request. */
export const staffDiagnosisQuery = (id: string, role: StaffRole) =>
  query(["staff-diagnosis", id, role], "GET /admin/configs/{id}/diagnosis", {
    params: { id },
    query: asViewed(role),
    refetchOnWindowFocus: false,
    staleTime: MINUTE_MS / 2,
  });
