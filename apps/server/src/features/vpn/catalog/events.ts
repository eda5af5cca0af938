import { eventType } from "../../../platform/events.ts";

/** The addresses of a service or DNS entry changed, and so did the text of the configs that use it. */
export const catalogChanged = eventType<{ serviceId: string } | { dnsId: string }>("catalog.changed");
