import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { asViewed, MEMBERS, type StaffRole } from "../../club/staff/index.ts";

export type Group = Api["GET /admin/groups"]["answer"][number];
export type GroupChange = Api["PUT /admin/groups/{id}"]["body"];

/** Below the members' key: their changes are theirs. */
export const GROUPS = [...MEMBERS, "groups"] as const;

export const groupsQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: [...GROUPS, role],
    queryFn: ({ signal }) => api("GET /admin/groups", { query: asViewed(role), signal }),
  });

/** All interfaces of the club. */
export const interfacesQuery = queryOptions({
  queryKey: [...GROUPS, "interfaces"],
  queryFn: ({ signal }) => api("GET /admin/servers/interfaces", { signal }),
});
