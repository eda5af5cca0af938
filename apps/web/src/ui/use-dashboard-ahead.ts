import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** Prefetches the dashboard's code while the person is still typing. Calling it again costs nothing. */
export function useDashboardAhead() {
  const router = useRouter();
  return useCallback(() => {
    const dashboard = router.routesByPath["/dashboard"];
    if (dashboard) void router.loadRouteChunk(dashboard);
  }, [router]);
}
