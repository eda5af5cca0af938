import { lazyPart } from "../../../ui/lazy.tsx";

/** Their code comes once somebody is selected. */
export const BulkActions = lazyPart(() => import("./bulk-actions.tsx").then(({ BulkActions }) => BulkActions));
