import { eventType } from "../../platform/events.ts";

/** These sessions of a member are over: what they still hold open is to be closed. */
export const sessionsEnded = eventType<{ memberId: string; sessionIds: readonly string[] }>("auth.sessions_ended");
