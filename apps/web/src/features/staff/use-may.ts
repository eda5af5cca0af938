import type { StaffAction } from "@krug/domain/roles";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { asViewed, useViewed } from "./frame.tsx";

/** Whether whoever looks may do this, with what an admin has switched on for moderators; no until the panel has said so. */
export function useMay(action: StaffAction): boolean {
  const { viewedRole } = useViewed();
  const rights = useQuery({
    queryKey: ["rights", viewedRole],
    queryFn: ({ signal }) => api("GET /admin/rights", { query: asViewed(viewedRole), signal }),
  });
  return rights.data?.actions.includes(action) ?? false;
}
