import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../../lib/api.ts";
import { polled } from "../../../lib/polled.ts";
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
  queryOptions({
    queryKey: [...MEMBERS, "counts", filter, role],
    queryFn: ({ signal }) => api("GET /admin/users/counts", { query: { ...filter, ...asViewed(role) }, signal }),
    placeholderData: keepPreviousData,
  });

export const memberFileQuery = (id: string, role: StaffRole) =>
  queryOptions({
    queryKey: [...MEMBERS, "file", id, role],
    queryFn: ({ signal }) => api("GET /admin/users/{id}", { params: { id }, query: asViewed(role), signal }),
  });

const LINK_LOOK_MS = 10_000;

export const configsOfQuery = (id: string) =>
  queryOptions({
    queryKey: [...MEMBERS, "configs", id],
    queryFn: (asked) => polled(asked, "GET /vpn/configs/{id}", { params: { id } }),
    staleTime: MINUTE_MS / 2,
    // Handover links are opened on other devices, so poll.
    refetchInterval: ({ state }) => (state.data?.some(({ handOver }) => handOver?.linkUntil) ? LINK_LOOK_MS : false),
  });

/** The interfaces that a member may use. */
export const interfacesOfQuery = (userId: string) =>
  queryOptions({
    queryKey: [...MEMBERS, "interfaces", userId],
    queryFn: ({ signal }) => api("GET /vpn/available-interfaces", { query: { userId }, signal }),
    staleTime: MINUTE_MS / 2,
  });

export const friendsOfQuery = (id: string, role: StaffRole) =>
  queryOptions({
    queryKey: [...MEMBERS, "friends", id, role],
    queryFn: ({ signal }) => api("GET /users/{id}/invited", { params: { id }, query: asViewed(role), signal }),
    staleTime: MINUTE_MS / 2,
  });
