import type { Api } from "@krug/contract/api";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { apiPage } from "../../../lib/api.ts";
import { query } from "../../../lib/query.ts";
import { asViewed, type StaffList, type StaffRole } from "../../club/staff/index.ts";
import { CLUB_INVITES } from "./queries.ts";

export type InviteCode = Api["GET /admin/invite-codes"]["answer"][number];
export type CodeChange = Api["PUT /admin/invite-codes/{id}"]["body"];
export type NewCode = Api["POST /admin/invite-codes"]["body"];
export type CodesView = Pick<Api["GET /admin/invite-codes"]["query"], "q" | "state" | "cursor">;
export type Newcomer = Api["GET /admin/invite-codes/{id}/members"]["answer"][number];

export const codesList: StaffList<CodesView, InviteCode> = {
  key: [...CLUB_INVITES, "list"],
  read: (view, role, limit, signal) =>
    apiPage("GET /admin/invite-codes", { query: { ...view, ...asViewed(role), limit }, ...(signal ? { signal } : {}) }),
};

export const codeCountsQuery = (role: StaffRole) =>
  query([...CLUB_INVITES, "counts", role], "GET /admin/invite-codes/counts", { query: asViewed(role) });

export const codeQuery = (id: string, role: StaffRole) =>
  query([...CLUB_INVITES, "code", id, role], "GET /admin/invite-codes/{id}", { params: { id }, query: asViewed(role) });

/** Who joined with a code: up to `limit`, newest first. */
export const newcomersQuery = (id: string, limit: number, role: StaffRole) =>
  queryOptions({
    queryKey: [...CLUB_INVITES, "newcomers", id, limit, role],
    queryFn: ({ signal }) =>
      apiPage("GET /admin/invite-codes/{id}/members", { params: { id }, query: { limit, ...asViewed(role) }, signal }),
    placeholderData: keepPreviousData,
  });

/** All interfaces of the club that a code can include. */
export const interfacesQuery = query([...CLUB_INVITES, "interfaces"], "GET /admin/servers/interfaces");
