import { eventType } from "../../platform/events.ts";

/** These sessions of a member are over: what they still hold open is to be closed. */
export const sessionsEnded = eventType<{
  memberId: string;
  sessionIds: readonly string[];
  /** Left out where the member did it, or can see why. */
  why?: "blocked" | undefined;
}>("auth.sessions_ended");
