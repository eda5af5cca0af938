import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api, apiPage } from "../../../lib/api.ts";
import { query } from "../../../lib/query.ts";
import { asViewed, type StaffList, type StaffRole } from "../../club/staff/index.ts";

type Answered = Api["GET /vpn/configs"]["answer"][number];
/** A config as staff see it. */
export type ListedConfig = Answered & { staff: NonNullable<Answered["staff"]> };
/** Null if the panel sent no staff fields. */
export const asListed = (config: Answered): ListedConfig | null =>
  config.staff === undefined ? null : { ...config, staff: config.staff };

export type ConfigView = Omit<Api["GET /vpn/configs"]["query"], "limit" | "as" | "scope">;

const REFRESH_MS = MINUTE_MS;

export const CONFIGS = ["everyones-configs"] as const;

export const configsList: StaffList<ConfigView, ListedConfig> = {
  key: CONFIGS,
  read: async (view, role, limit, signal) => {
    const page = await apiPage("GET /vpn/configs", {
      query: { ...view, scope: "all", ...asViewed(role), limit },
      ...(signal ? { signal } : {}),
    });
    return { ...page, rows: page.rows.flatMap((row) => asListed(row) ?? []) };
  },
  refetchInterval: REFRESH_MS,
};

const LIVE_EVERY_MS = 5_000;

/** One device's bytes and speed while its details are open. */
export const liveQuery = (id: string, role: StaffRole) =>
  queryOptions({
    queryKey: ["live-stats-of", id, role],
    queryFn: ({ signal }) =>
      api("GET /admin/configs/{id}/stats", { params: { id }, query: asViewed(role), signal, background: true }),
    refetchInterval: LIVE_EVERY_MS,
    gcTime: 0,
  });

/** For the filter: a club has at most tens of them. */
export const interfacesQuery = query(["all-interfaces"], "GET /admin/servers/interfaces", { staleTime: REFRESH_MS });

/** Where this member may create configs. */
export const openToQuery = (userId: string) =>
  query([...CONFIGS, "open-to", userId], "GET /vpn/available-interfaces", { query: { userId } });

/** The names of a config's services and DNS entry. */
export const catalogueQuery = queryOptions({
  queryKey: ["catalogue-names"],
  queryFn: async ({ signal }) => {
    const [services, dns] = await Promise.all([api("GET /services", { signal }), api("GET /dns", { signal })]);
    return new Map([...services, ...dns].map(({ id, name }) => [id, name]));
  },
  staleTime: REFRESH_MS,
});
