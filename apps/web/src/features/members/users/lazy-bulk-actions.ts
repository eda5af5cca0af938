import { lazyPart } from "../../../ui/lazy.tsx";

/** The code is loaded once a member is selected. */
export const BulkActions = lazyPart(() => import("./bulk-actions.tsx").then(({ BulkActions }) => BulkActions));
