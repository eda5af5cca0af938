import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";
import { asViewed, MEMBERS, type StaffRole } from "../../club/staff/index.ts";

export type Group = Api["GET /admin/groups"]["answer"][number];
export type GroupChange = Api["PUT /admin/groups/{id}"]["body"];

/** Below the members' key: their changes are theirs. */
export const GROUPS = [...MEMBERS, "groups"] as const;

export const groupsQuery = (role: StaffRole) =>
  query([...GROUPS, role], "GET /admin/groups", { query: asViewed(role) });

/** All interfaces of the club. */
export const interfacesQuery = query([...GROUPS, "interfaces"], "GET /admin/servers/interfaces");
