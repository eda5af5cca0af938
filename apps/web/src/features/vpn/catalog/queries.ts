import type { Api } from "@krug/contract/api";
import { query } from "../../../lib/query.ts";
import { asViewed, type StaffRole } from "../../club/staff/index.ts";
import { CATALOG } from "./key.ts";

export { CATALOG } from "./key.ts";

export type Service = Api["GET /services"]["answer"][number];
export type DnsEntry = Api["GET /dns"]["answer"][number];
export type Device = Service["deviceTypes"][number];

/** An entry of either list, with which one it is of. */
export type Entry = ({ kind: "service" } & Service) | ({ kind: "dns" } & DnsEntry);

export const staffServicesQuery = query([...CATALOG, "services"], "GET /services");

export const staffDnsQuery = query([...CATALOG, "dns"], "GET /dns");

export const typedQuery = (id: string) =>
  query([...CATALOG, "typed", id], "GET /services/{id}/typed", { params: { id } });

export const sourcesQuery = (id: string) =>
  query([...CATALOG, "sources", id], "GET /services/{id}/sources", { params: { id } });

export const versionsQuery = (id: string, source: string) =>
  query([...CATALOG, "versions", source], "GET /services/{id}/sources/{source}/versions", { params: { id, source } });

export const comparisonQuery = (params: { id: string; source: string; version: string }) =>
  query(
    [...CATALOG, "versions", params.source, params.version],
    "GET /services/{id}/sources/{source}/versions/{version}",
    { params },
  );

export const ownNetworksQuery = query([...CATALOG, "own networks"], "GET /admin/catalog/own-networks");

export const usageQuery = (role: StaffRole) =>
  query([...CATALOG, "usage", role], "GET /admin/catalog/usage", { query: asViewed(role) });
