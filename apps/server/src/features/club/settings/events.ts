import { eventType } from "../../../platform/events.ts";
import type { ClubSettings } from "./club-settings.ts";

/** An admin has changed these settings. */
export const settingsChanged = eventType<{ names: (keyof ClubSettings)[] }>("settings.changed");
