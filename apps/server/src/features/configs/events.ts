import { eventType } from "../../platform/events.ts";

/** What these members see of their configs may have changed: made, deleted, applied, marked. */
export const configsChanged = eventType<{ memberIds: readonly string[] }>("configs.changed");
