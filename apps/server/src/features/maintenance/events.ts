import { eventType } from "../../platform/events.ts";

/** The club went under maintenance, or came back from it. */
export const maintenanceSwitched = eventType<{ enabled: boolean }>("maintenance.switched");
