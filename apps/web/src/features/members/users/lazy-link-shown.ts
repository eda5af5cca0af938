import { lazyPart } from "../../../ui/lazy.tsx";

/** Loaded apart from the list of members, which all staff wait for. */
export const LinkShown = lazyPart(() => import("./link-shown.tsx").then(({ LinkShown }) => LinkShown));
