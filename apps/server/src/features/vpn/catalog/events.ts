import { eventType } from "../../../platform/events.ts";

interface ServiceChange {
  serviceId: string;
  before: readonly string[];
  after: readonly string[];
}

/** The addresses of a service or DNS entry changed, and so did the text of the configs that use it. */
export const catalogChanged = eventType<ServiceChange | { dnsId: string }>("catalog.changed");

/** Of rows: their `ips` are JSON. */
export const serviceChange = (before: { id: string; ips: string }, after: { ips: string }): ServiceChange => ({
  serviceId: before.id,
  before: JSON.parse(before.ips) as string[],
  after: JSON.parse(after.ips) as string[],
});

/** `ticketId`: of the member who asked for it. */
export const serviceAdded = eventType<{ serviceId: string; name: string; ticketId: string | null }>(
  "catalog.service_added",
);

/** A service stands for other names, whatever their addresses. */
export const namesChanged = eventType<{ serviceId: string }>("catalog.names_changed");

/** A service leaves by another exit, where servers route. */
export const exitChanged = eventType<{ serviceId: string }>("catalog.exit_changed");
