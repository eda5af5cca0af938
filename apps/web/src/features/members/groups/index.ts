import { lazyPart } from "../../../ui/lazy.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";

export { GroupFilter } from "./group-filter.tsx";
export { groupsQuery } from "./queries.ts";
/* Staff's list of members is shown without these. */
export const GroupsSheet = lazyDialog(() => import("./groups-sheet.tsx").then(({ GroupsSheet }) => GroupsSheet));
export const GroupsOf = lazyPart(() => import("./groups-of.tsx").then(({ GroupsOf }) => GroupsOf));
export const GroupChoice = lazyDialog(() => import("./group-choice.tsx").then(({ GroupChoice }) => GroupChoice));
