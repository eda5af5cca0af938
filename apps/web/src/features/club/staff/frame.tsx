import type { Role } from "@krug/domain/roles";
import { createContext, useContext } from "react";
import type { Me } from "../../access/auth/index.ts";

export type StaffRole = Exclude<Role, "user">;

interface Frame {
  me: Me;
  /** The role to view as: an admin may view as a moderator (specification, operator's side 2). The server uses the real role. */
  viewedRole: StaffRole;
  /** The two-factor check was passed: staff data can be requested. */
  entered: boolean;
  viewAs: (role: StaffRole) => void;
  openSections: () => void;
  openSearch: () => void;
}

const FrameContext = createContext<Frame | null>(null);

export const FrameProvider = FrameContext.Provider;

/** The frame around every screen of the administration area. */
export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error("FrameProvider is missing above this component");
  return frame;
}

/** The viewer, and the role they view as. Their rights: `useMay`. */
export function useViewed(): { me: Me; viewedRole: StaffRole } {
  const { me, viewedRole } = useFrame();
  return { me, viewedRole };
}

/** A query parameter for lists of members, so that an admin viewing as a moderator gets a moderator's answer. */
export const asViewed = (role: StaffRole): { as?: "moderator" } => (role === "moderator" ? { as: "moderator" } : {});
