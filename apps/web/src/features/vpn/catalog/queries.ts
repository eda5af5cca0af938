import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";
import { CATALOG } from "./key.ts";

export { CATALOG } from "./key.ts";

export type Service = Api["GET /services"]["answer"][number];
export type DnsEntry = Api["GET /dns"]["answer"][number];
export type Device = Service["deviceTypes"][number];

/** An entry of either list, with which one it is of. */
export type Entry = ({ kind: "service" } & Service) | ({ kind: "dns" } & DnsEntry);

export const staffServicesQuery = queryOptions({
  queryKey: [...CATALOG, "services"],
  queryFn: ({ signal }) => api("GET /services", { signal }),
});

export const staffDnsQuery = queryOptions({
  queryKey: [...CATALOG, "dns"],
  queryFn: ({ signal }) => api("GET /dns", { signal }),
});

export const typedQuery = (id: string) =>
  queryOptions({
    queryKey: [...CATALOG, "typed", id],
    queryFn: ({ signal }) => api("GET /services/{id}/typed", { params: { id }, signal }),
  });

export const sourcesQuery = (id: string) =>
  queryOptions({
    queryKey: [...CATALOG, "sources", id],
    queryFn: ({ signal }) => api("GET /services/{id}/sources", { params: { id }, signal }),
  });

export const versionsQuery = (id: string, source: string) =>
  queryOptions({
    queryKey: [...CATALOG, "versions", source],
    queryFn: ({ signal }) => api("GET /services/{id}/sources/{source}/versions", { params: { id, source }, signal }),
  });

export const comparisonQuery = (params: { id: string; source: string; version: string }) =>
  queryOptions({
    queryKey: [...CATALOG, "versions", params.source, params.version],
    queryFn: ({ signal }) => api("GET /services/{id}/sources/{source}/versions/{version}", { params, signal }),
  });

export const ownNetworksQuery = queryOptions({
  queryKey: [...CATALOG, "own networks"],
  queryFn: ({ signal }) => api("GET /admin/catalog/own-networks", { signal }),
});

export const usageQuery = (role: StaffRole) =>
  queryOptions({
    queryKey: [...CATALOG, "usage", role],
    queryFn: ({ signal }) => api("GET /admin/catalog/usage", { query: asViewed(role), signal }),
  });
