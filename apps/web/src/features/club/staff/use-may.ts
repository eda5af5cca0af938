import { may, mayEver, type StaffAction } from "@krug/domain/staff-actions";
import { useQuery } from "@tanstack/react-query";
import { query } from "../../../lib/query.ts";
import { asViewed, type StaffRole, useViewed } from "./frame.tsx";
import { useIsReadOnlyBySilence } from "./silence.tsx";

const rightsQuery = (viewedRole: StaffRole) =>
  query(["rights", viewedRole], "GET /admin/rights", { query: asViewed(viewedRole) });

/** All rights that the viewer has now, by role or switched on for moderators. Nobody changes anything while the panel is silent. */
export function useRights(): (action: StaffAction) => boolean {
  const { viewedRole } = useViewed();
  const granted = useQuery({ ...rightsQuery(viewedRole), enabled: viewedRole !== "admin" });
  const isReadOnly = useIsReadOnlyBySilence();
  return (action) => !isReadOnly && (may(viewedRole, action) || (granted.data?.actions.includes(action) ?? false));
}

/**
 * Whether the viewer has this right: by role, or because an admin has switched it on for moderators. False until the panel has
 * answered. An open dialog uses it, and stays open while the panel is silent.
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
