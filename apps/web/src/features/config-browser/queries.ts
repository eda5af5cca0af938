import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../lib/api.ts";
import { asViewed, type StaffRole } from "../staff/index.ts";

type Answered = Api["GET /vpn/configs"]["answer"][number];
/** A config as staff see it. */
export type ListedConfig = Answered & { staff: NonNullable<Answered["staff"]> };
export type ConfigView = Omit<Api["GET /vpn/configs"]["query"], "limit" | "as" | "scope">;

export const PAGE_SIZE = 50;
const CSV_PAGE = 1000;
const REFRESH_MS = MINUTE_MS;

export const CONFIGS = ["everyones-configs"] as const;

export const pageOfConfigs = async (view: ConfigView, role: StaffRole, limit = CSV_PAGE, signal?: AbortSignal) => {
  const page = await apiPage("GET /vpn/configs", {
    query: { ...view, scope: "all", ...asViewed(role), limit },
    ...(signal ? { signal } : {}),
  });
  return { ...page, rows: page.rows.filter((row): row is ListedConfig => row.staff !== undefined) };
};

export const configsPageQuery = (view: ConfigView, role: StaffRole) =>
  queryOptions({
    queryKey: [...CONFIGS, view, role],
    queryFn: ({ signal }) => pageOfConfigs(view, role, PAGE_SIZE, signal),
    // The page before stays until the next one is there.
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

/** For the filter: a club has tens of them at the most. */
export const interfacesQuery = queryOptions({
  queryKey: ["all-interfaces"],
  queryFn: ({ signal }) => api("GET /admin/servers/interfaces", { signal }),
  staleTime: REFRESH_MS,
});

/** What a config's services and DNS entry are called. */
export const catalogueQuery = queryOptions({
  queryKey: ["catalogue-names"],
  queryFn: async ({ signal }) => {
    const [services, dns] = await Promise.all([api("GET /services", { signal }), api("GET /dns", { signal })]);
    return new Map([...services, ...dns].map(({ id, name }) => [id, name]));
  },
  staleTime: REFRESH_MS,
});
