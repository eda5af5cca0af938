import { eventType } from "../../../platform/events.ts";

/** Maintenance began or ended. `since`: when it began, ms; null if there was none to end. */
export const maintenanceSwitched = eventType<{ enabled: boolean; since: number | null }>("maintenance.switched");
