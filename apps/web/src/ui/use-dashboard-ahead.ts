import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** Fetches the dashboard's code while the person still types; calling it again costs nothing. */
export function useDashboardAhead() {
  const router = useRouter();
  return useCallback(() => {
    const dashboard = router.routesByPath["/dashboard"];
    if (dashboard) void router.loadRouteChunk(dashboard);
  }, [router]);
}
