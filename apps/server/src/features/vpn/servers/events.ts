import { eventType } from "../../../platform/events.ts";

/** The address that configs of this server point at is another one now. */
export const serverEndpointChanged = eventType<{ serverId: string }>("server.endpoint_changed");

/** The server is no longer one of the club's; it had no configs. */
export const serverDeleted = eventType<{ serverId: string }>("server.deleted");

/** It has not answered for two minutes; `since` in ms since 1970. */
export const serverGone = eventType<{ serverId: string; name: string; since: number }>("server.gone");

/** It answers again, which somebody was told it did not. */
export const serverBack = eventType<{ serverId: string; name: string; since: number; until: number }>("server.back");

/** It does not pass on what members send. */
export const forwardingRefused = eventType<{ serverId: string; name: string }>("server.forwarding_refused");

/** It does again, or nothing is known to keep it from that. */
export const forwardingBack = eventType<{ serverId: string; name: string; since: number; until: number }>(
  "server.forwarding_back",
);

/** Which interfaces this member may make configs on is another answer now. */
export const assignmentChanged = eventType<{ memberId: string }>("assignment.changed");
