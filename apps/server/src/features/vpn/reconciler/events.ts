import { eventType } from "../../../platform/events.ts";

/** A restored panel found devices on an interface that its backup does not know. */
export const unknownPeersFound = eventType<{ interfaceId: string; name: string; server: string; count: number }>(
  "interface.unknown_peers",
);

/** A server's counters are impossible, and were not counted. */
export const countersRefused = eventType<{ serverId: string; name: string }>("server.counters_refused");
