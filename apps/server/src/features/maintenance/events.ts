import { eventType } from "../../platform/events.ts";

/** The club went under maintenance, or came back from it. `since`: when it began, ms; null if there was none to end. */
export const maintenanceSwitched = eventType<{ enabled: boolean; since: number | null }>("maintenance.switched");
