import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { KEPT, keep, kept } from "../../../lib/browser-storage.ts";

/** Whether the club is under maintenance. The last known answer counts until a new one arrives. */
export const maintenanceQuery = queryOptions<boolean>({
  queryKey: ["maintenance"],
  queryFn: async ({ signal, client, queryKey }) => {
    const background = client.getQueryData(queryKey) !== undefined;
    const { enabled } = await api("GET /maintenance", { signal, background });
    keep(KEPT.maintenance, enabled ? "true" : null);
    return enabled;
  },
  placeholderData: () => kept(KEPT.maintenance) === "true",
  staleTime: 15_000,
});

/** The panel has just reported whether the club is under maintenance. */
export function noteMaintenance(queryClient: QueryClient, enabled: boolean) {
  keep(KEPT.maintenance, enabled ? "true" : null);
  queryClient.setQueryData(maintenanceQuery.queryKey, enabled);
}

/** Whether the panel has refused the signed-in person because of maintenance. */
export const stoppedQuery = queryOptions<boolean>({
  queryKey: ["maintenance", "stopped"],
  queryFn: () => false,
  initialData: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** A call was refused because of maintenance: replaces the page with one that says so. */
export function stopForMaintenance(queryClient: QueryClient, isSignedIn: boolean) {
  noteMaintenance(queryClient, true);
  if (isSignedIn) queryClient.setQueryData(stoppedQuery.queryKey, true);
}
