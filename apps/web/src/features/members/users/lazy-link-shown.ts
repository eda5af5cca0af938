import { lazyPart } from "../../../ui/lazy.tsx";

/** Apart from the list of members, which everybody on staff waits for. */
export const LinkShown = lazyPart(() => import("./link-shown.tsx").then(({ LinkShown }) => LinkShown));
