import { eventType } from "../../platform/events.ts";

/** An interface is another one now; `files`: the text of its configs too. */
export const interfaceChanged = eventType<{ interfaceId: string; files: boolean }>("interface.changed");

/** The interface is gone, and with it every config that it carried. */
export const interfaceDeleted = eventType<{ interfaceId: string }>("interface.deleted");
