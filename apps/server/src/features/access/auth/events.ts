import { eventType } from "../../../platform/events.ts";

/** These sessions of a member have ended: close what they still hold open. */
export const sessionsEnded = eventType<{
  memberId: string;
  sessionIds: readonly string[];
  /** All of them were to end but perhaps this one: what hangs on sessions that had run out before ends too. */
  all?: { except: string | null } | undefined;
  /** `own_wish`: the member ended them by hand. Left out where the reason can be seen. */
  why?: "blocked" | "own_wish" | undefined;
}>("auth.sessions_ended");

/** The member's second factor is off: nothing that it opened counts as elevated any more. */
export const elevationsEnded = eventType<{ memberId: string }>("auth.elevations_ended");
