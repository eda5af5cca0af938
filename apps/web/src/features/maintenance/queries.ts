import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "../../lib/api.ts";
import { KEPT, keep, kept } from "../../lib/kept.ts";

/** How late an open page learns that maintenance has begun. */
const WATCH_EVERY_MS = 30_000;

/** Whether the club is under maintenance. While the answer is on its way the last known one stands. */
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

/** Whether the panel has refused the person who is signed in here because of maintenance. */
export const stoppedQuery = queryOptions<boolean>({
  queryKey: ["maintenance", "stopped"],
  queryFn: () => false,
  initialData: false,
  staleTime: Number.POSITIVE_INFINITY,
});

/** A call was refused because of maintenance: the page gives way to one that says so. */
export function stopForMaintenance(queryClient: QueryClient, isSignedIn: boolean) {
  keep(KEPT.maintenance, "true");
  queryClient.setQueryData(maintenanceQuery.queryKey, true);
  if (isSignedIn) queryClient.setQueryData(stoppedQuery.queryKey, true);
}

/** An open page of a member gives way to maintenance by itself, without waiting for his next call; staff work on. */
export function useMaintenanceWatch(isMember: boolean) {
  const queryClient = useQueryClient();
  const { data, isPlaceholderData } = useQuery({
    ...maintenanceQuery,
    enabled: isMember,
    refetchInterval: WATCH_EVERY_MS,
  });
  const hasBegun = isMember && data === true && !isPlaceholderData;
  useEffect(() => {
    if (hasBegun) stopForMaintenance(queryClient, true);
  }, [hasBegun, queryClient]);
}
