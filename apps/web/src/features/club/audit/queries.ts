import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { apiPage } from "../../../lib/api.ts";
import { query } from "../../../lib/query.ts";
import { asViewed, type StaffList, type StaffRole } from "../staff/index.ts";

export type AuditEntry = Api["GET /admin/audit"]["answer"][number];
export type AuditView = Omit<Api["GET /admin/audit"]["query"], "limit" | "as">;

export const entriesList: StaffList<AuditView, AuditEntry> = {
  key: ["audit", "list"],
  read: (view, role, limit, signal) =>
    apiPage("GET /admin/audit", { query: { ...view, ...asViewed(role), limit }, ...(signal ? { signal } : {}) }),
};

export const staffQuery = (role: StaffRole) =>
  query(["audit", "staff", role], "GET /admin/audit/staff", { query: asViewed(role), staleTime: 5 * MINUTE_MS });
