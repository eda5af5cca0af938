import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { KEPT, keep, kept } from "../../lib/kept.ts";

/** Whether the club is under maintenance. While the answer is on its way the last known one stands. */
export const maintenanceQuery = queryOptions<boolean>({
  queryKey: ["maintenance"],
  queryFn: async ({ signal }) => {
    const { enabled } = await api("GET /maintenance", { signal });
    keep(KEPT.maintenance, enabled ? "true" : null);
    return enabled;
  },
  placeholderData: () => kept(KEPT.maintenance) === "true",
  staleTime: 15_000,
});
