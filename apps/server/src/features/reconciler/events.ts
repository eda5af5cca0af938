import { eventType } from "../../platform/events.ts";

/** A restored panel found devices on an interface that its backup does not know. */
export const unknownPeersFound = eventType<{ interfaceId: string; name: string; server: string; count: number }>(
  "interface.unknown_peers",
);
