import { eventType } from "../../../platform/events.ts";

/** Links of these entries were made, removed or given new keys, or their exits stopped or started to answer. */
export const exitsChanged = eventType<{ entryIds: string[] }>("exits.changed");
