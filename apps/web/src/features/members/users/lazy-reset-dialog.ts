import { lazyDialog } from "../../../ui/lazy-dialog.tsx";

/** Loaded apart from the list of members, which all staff wait for. */
export const ResetDialog = lazyDialog(() => import("./reset-dialog.tsx").then(({ ResetDialog }) => ResetDialog));
