import { eventType } from "../../../platform/events.ts";

/** The addresses of a service or DNS entry changed: configs that hold it have another text now. */
export const catalogChanged = eventType<{ serviceId: string } | { dnsId: string }>("catalog.changed");
