import { DAY_MS, HOUR_MS, type Moment, msOf } from "./moment.ts";
import { isStaff, type Role } from "./roles.ts";

export interface SessionLife {
  /** The session ends when it was not used this long. */
  idleMs: number;
  /** And at this age whatever happened. */
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
