import { eventType } from "../../../platform/events.ts";

/** These sessions of a member have ended: close what they hold open. */
export const sessionsEnded = eventType<{
  memberId: string;
  sessionIds: readonly string[];
  /** All sessions were to end, except perhaps this one: whatever depends on already expired sessions ends too. */
  all?: { except: string | null } | undefined;
  /** `own_wish`: the member ended them by hand. Absent if the reason can be seen. */
  why?: "blocked" | "own_wish" | undefined;
}>("auth.sessions_ended");

/** The password was reset without the former one: by a link or the command line. Whoever knew it may be a stranger. */
export const passwordReset = eventType<{ memberId: string }>("auth.password_reset");

/** The member's second factor is off: its elevations no longer count. */
export const elevationsEnded = eventType<{ memberId: string }>("auth.elevations_ended");
