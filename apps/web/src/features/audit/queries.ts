import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../lib/api.ts";
import { asViewed, type StaffRole } from "../staff/index.ts";

export type AuditEntry = Api["GET /admin/audit"]["answer"][number];
export type AuditView = Omit<Api["GET /admin/audit"]["query"], "limit" | "as">;

export const PAGE_SIZE = 50;
const CSV_PAGE = 1000;

export const pageOfEntries = (view: AuditView, role: StaffRole, limit = CSV_PAGE, signal?: AbortSignal) =>
  apiPage("GET /admin/audit", { query: { ...view, ...asViewed(role), limit }, ...(signal ? { signal } : {}) });

export const entriesQuery = (view: AuditView, role: StaffRole) =>
  queryOptions({
    queryKey: ["audit", "list", view, role],
    queryFn: ({ signal }) => pageOfEntries(view, role, PAGE_SIZE, signal),
    placeholderData: keepPreviousData,
  });

export const staffQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: ["audit", "staff", role],
    queryFn: ({ signal }) => api("GET /admin/audit/staff", { query: asViewed(role), signal }),
    staleTime: 5 * MINUTE_MS,
  });
