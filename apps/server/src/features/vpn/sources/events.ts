import { eventType } from "../../../platform/events.ts";

/** A source has other networks: so have the services that use it. A listener that throws a Failure keeps the source as it was. */
export const sourceChanged = eventType<{ serviceIds: string[] }>("source.changed");
/** It gave a list that differs too much to be taken without an admin. */
export const sourceWaits = eventType<{ source: string; serviceIds: string[] }>("source.waits");
/** It has failed since then, for long enough to tell staff. */
export const sourceFailing = eventType<{ source: string; serviceIds: string[]; since: number }>("source.failing");
