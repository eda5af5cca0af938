import { eventType } from "../../platform/events.ts";

/** These sessions of a member have ended: close what they still hold open. */
export const sessionsEnded = eventType<{
  memberId: string;
  sessionIds: readonly string[];
  /** All of them were to end but perhaps this one: what hangs on sessions that had run out before ends too. */
  all?: { except: string | null } | undefined;
  /** Left out where the member did it, or can see why. */
  why?: "blocked" | undefined;
}>("auth.sessions_ended");
