import { eventType } from "../../platform/events.ts";

/** The address that configs of this server point at is another one now. */
export const serverEndpointChanged = eventType<{ serverId: string }>("server.endpoint_changed");

/** The server is no longer one of the club's; it had no configs. */
export const serverDeleted = eventType<{ serverId: string }>("server.deleted");

/** It has not answered for two minutes; `since` in ms since 1970. */
export const serverGone = eventType<{ serverId: string; name: string; since: number }>("server.gone");

/** It answers again, which somebody was told it did not. */
export const serverBack = eventType<{ serverId: string; name: string; since: number; until: number }>("server.back");

/** Which interfaces this member may make configs on is another answer now. */
export const assignmentChanged = eventType<{ memberId: string }>("assignment.changed");
