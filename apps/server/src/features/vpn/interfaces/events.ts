import { eventType } from "../../../platform/events.ts";

/** An interface changed; `files`: the text of its configs too. */
export const interfaceChanged = eventType<{ interfaceId: string; files: boolean }>("interface.changed");

/** The name of these interfaces' endpoint now resolves to more addresses. */
export const endpointMoved = eventType<{ interfaceIds: readonly string[]; added: readonly string[] }>("endpoint.moved");

/** An interface was deleted, with every config on it. */
export const interfaceDeleted = eventType<{ interfaceId: string }>("interface.deleted");

/** A deleted interface and its devices are another program's again. */
export const interfaceGivenBack = eventType<{ interfaceId: string }>("interface.given_back");
