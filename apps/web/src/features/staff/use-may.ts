import { may, type StaffAction } from "@krug/domain/roles";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { asViewed, useViewed } from "./frame.tsx";
import { useIsReadOnlyBySilence } from "./silence.tsx";

/**
 * Whether the viewer has the right to this: by role, or because an admin has switched it on for moderators; no until the
 * panel has said so. A dialog that is open goes by it, and stays while the panel is silent.
 */
export function useRight(action: StaffAction): boolean {
  const { viewedRole } = useViewed();
  const byRole = may(viewedRole, action);
  const rights = useQuery({
    queryKey: ["rights", viewedRole],
    queryFn: ({ signal }) => api("GET /admin/rights", { query: asViewed(viewedRole), signal }),
    enabled: !byRole,
  });
  return byRole || (rights.data?.actions.includes(action) ?? false);
}

/** Whether the viewer may do it now: nobody changes anything while the panel is silent. */
export function useMay(action: StaffAction): boolean {
  const hasRight = useRight(action);
  const isReadOnly = useIsReadOnlyBySilence();
  return hasRight && !isReadOnly;
}
