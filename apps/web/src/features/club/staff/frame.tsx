import type { Role } from "@krug/domain/roles";
import { createContext, useContext } from "react";
import type { Me } from "../../access/auth/index.ts";

export type StaffRole = Exclude<Role, "user">;

interface Frame {
  me: Me;
  /** The role to view as: an admin may look as a moderator (specification, operator's side 2). The server uses the real role. */
  viewedRole: StaffRole;
  /** The two-factor check was passed: what staff may see can be asked. */
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

/** Who looks, and as whom. What they may do: `useMay`. */
export function useViewed(): { me: Me; viewedRole: StaffRole } {
  const { me, viewedRole } = useFrame();
  return { me, viewedRole };
}

/** What a list of members is asked with, so that who looks as a moderator is answered as one. */
export const asViewed = (role: StaffRole): { as?: "moderator" } => (role === "moderator" ? { as: "moderator" } : {});
