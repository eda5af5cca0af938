import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepPreviousData } from "@tanstack/react-query";
import { apiPage } from "../../../lib/api.ts";
import { polledQuery, query } from "../../../lib/query.ts";
import { asViewed, MEMBERS, type StaffList, type StaffRole } from "../../club/staff/index.ts";

export type ListedMember = Api["GET /users"]["answer"][number];
export type MemberFile = Api["GET /admin/users/{id}"]["answer"];
export type MemberChange = Api["PUT /users/{id}"]["body"];
export type ListView = Omit<Api["GET /users"]["query"], "limit" | "as">;
/** The list's filter, without order and page. */
export type ListFilter = Api["POST /admin/users/bulk/matching"]["body"]["matching"];

export const membersList: StaffList<ListView, ListedMember> = {
  key: [...MEMBERS, "list"],
  read: (view, role, limit, signal) =>
    apiPage("GET /users", { query: { ...view, ...asViewed(role), limit }, ...(signal ? { signal } : {}) }),
};

/** Counts by state, of members that match the rest of the filter. */
export const countsQuery = ({ state: _, ...filter }: ListFilter, role: StaffRole) =>
  query([...MEMBERS, "counts", filter, role], "GET /admin/users/counts", {
    query: { ...filter, ...asViewed(role) },
    placeholderData: keepPreviousData,
  });

export const memberFileQuery = (id: string, role: StaffRole) =>
  query([...MEMBERS, "file", id, role], "GET /admin/users/{id}", { params: { id }, query: asViewed(role) });

const LINK_LOOK_MS = 10_000;

export const configsOfQuery = (id: string) =>
  polledQuery([...MEMBERS, "configs", id], "GET /vpn/configs/{id}", {
    params: { id },
    staleTime: MINUTE_MS / 2,
    // Handover links are opened on other devices, so poll.
    refetchInterval: ({ state }) => (state.data?.some(({ handOver }) => handOver?.linkUntil) ? LINK_LOOK_MS : false),
  });

/** The interfaces that a member may use. */
export const interfacesOfQuery = (userId: string) =>
  query([...MEMBERS, "interfaces", userId], "GET /vpn/available-interfaces", {
    query: { userId },
    staleTime: MINUTE_MS / 2,
  });

export const friendsOfQuery = (id: string, role: StaffRole) =>
  query([...MEMBERS, "friends", id, role], "GET /users/{id}/invited", {
    params: { id },
    query: asViewed(role),
    staleTime: MINUTE_MS / 2,
  });
