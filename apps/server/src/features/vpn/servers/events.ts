import { eventType } from "../../../platform/events.ts";

/** The endpoint address in this server's configs changed. */
export const serverEndpointChanged = eventType<{ serverId: string }>("server.endpoint_changed");

/** The server was deleted; it had no configs. */
export const serverDeleted = eventType<{ serverId: string }>("server.deleted");

/** It has not answered for two minutes; `since` in ms since 1970. */
export const serverGone = eventType<{ serverId: string; name: string; since: number }>("server.gone");

/** It answers again, after somebody was notified that it did not. */
export const serverBack = eventType<{ serverId: string; name: string; since: number; until: number }>("server.back");

/** It does not forward what members send. */
export const forwardingRefused = eventType<{ serverId: string; name: string }>("server.forwarding_refused");

/** It forwards again, or no obstacle is known any more. */
export const forwardingBack = eventType<{ serverId: string; name: string; since: number; until: number }>(
  "server.forwarding_back",
);

/** Which interfaces this member may make configs on has changed. */
export const assignmentChanged = eventType<{ memberId: string }>("assignment.changed");
