import { lazyPart } from "../../../ui/lazy.tsx";

/** Loaded apart from the list of members, which all staff wait for. */
export const InvitedLinks = lazyPart(() => import("./invited-links.tsx").then(({ InvitedLinks }) => InvitedLinks));
