import { DAY_MS, HOUR_MS, MINUTE_MS, type Moment, msOf, SECOND_MS } from "./moment.ts";
import { isStaff, type Role } from "./roles.ts";

export interface SessionLife {
  /** The session ends after this long without use. */
  idleMs: number;
  /** And at this age in any case. */
  absoluteMs: number;
}

const MEMBER_SESSION: SessionLife = { idleMs: 30 * DAY_MS, absoluteMs: 180 * DAY_MS };
const STAFF_SESSION: SessionLife = { idleMs: 12 * HOUR_MS, absoluteMs: 30 * DAY_MS };

export function sessionLifeFor(role: Role): SessionLife {
  return isStaff(role) ? STAFF_SESSION : MEMBER_SESSION;
}

/** Both in ms since 1970. */
export interface SessionTimes {
  createdAt: number;
  lastUsedAt: number;
}

/** When this session ends if it is not used again, ms since 1970 (decisions, section 2). */
export function sessionEndsAt({ createdAt, lastUsedAt }: SessionTimes, role: Role): number {
  const { idleMs, absoluteMs } = sessionLifeFor(role);
  return Math.min(lastUsedAt + idleMs, createdAt + absoluteMs);
}

export function isSessionAlive(session: SessionTimes, role: Role, now: Moment): boolean {
  return msOf(now) < sessionEndsAt(session, role);
}

/** A replaced token works this much longer, for requests under way in other tabs. */
export const REPLACED_TOKEN_MS = 30 * SECOND_MS;

/** Changing sign-in methods needs a password given this recently in the same session; the sign-in counts. */
export const PASSWORD_FRESH_MS = 10 * MINUTE_MS;

/** `givenAt`: ms since 1970. */
export function isPasswordFresh(givenAt: number, now: Moment): boolean {
  return msOf(now) < givenAt + PASSWORD_FRESH_MS;
}
