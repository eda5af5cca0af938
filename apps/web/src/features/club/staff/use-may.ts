import { may, mayEver, type StaffAction } from "@krug/domain/staff-actions";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { asViewed, type StaffRole, useViewed } from "./frame.tsx";
import { useIsReadOnlyBySilence } from "./silence.tsx";

const rightsQuery = (viewedRole: StaffRole) =>
  queryOptions({
    queryKey: ["rights", viewedRole],
    queryFn: ({ signal }) => api("GET /admin/rights", { query: asViewed(viewedRole), signal }),
  });

/** Every right of the viewer's at once, by role or switched on for moderators, now: nobody changes anything while the panel is silent. */
export function useRights(): (action: StaffAction) => boolean {
  const { viewedRole } = useViewed();
  const granted = useQuery({ ...rightsQuery(viewedRole), enabled: viewedRole !== "admin" });
  const isReadOnly = useIsReadOnlyBySilence();
  return (action) => !isReadOnly && (may(viewedRole, action) || (granted.data?.actions.includes(action) ?? false));
}

/**
 * Whether the viewer has the right to this: by role, or because an admin has switched it on for moderators; no until the
 * panel has said so. A dialog that is open goes by it, and stays while the panel is silent.
 */
export function useRight(action: StaffAction): boolean {
  const { viewedRole } = useViewed();
  const byRole = may(viewedRole, action);
  const isSwitched = !byRole && mayEver(viewedRole, action);
  const rights = useQuery({ ...rightsQuery(viewedRole), enabled: isSwitched });
  return byRole || (isSwitched && (rights.data?.actions.includes(action) ?? false));
}

/** Whether the viewer may do it now (decisions, section 2): nobody changes anything while the panel is silent. */
export function useMay(action: StaffAction): boolean {
  const hasRight = useRight(action);
  const isReadOnly = useIsReadOnlyBySilence();
  return hasRight && !isReadOnly;
}
