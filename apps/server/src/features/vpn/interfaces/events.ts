import { eventType } from "../../../platform/events.ts";

/** An interface is another one now; `files`: the text of its configs too. */
export const interfaceChanged = eventType<{ interfaceId: string; files: boolean }>("interface.changed");

/** The name of these interfaces' endpoint leads to other addresses too now. */
export const endpointMoved = eventType<{ interfaceIds: readonly string[]; added: readonly string[] }>("endpoint.moved");

/** The interface was deleted, and with it every config on it. */
export const interfaceDeleted = eventType<{ interfaceId: string }>("interface.deleted");
