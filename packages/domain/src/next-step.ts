import { NO_LIMIT } from "./config-rules.ts";
import type { EntitlementReason } from "./entitlement.ts";
import { isStaff, type Role } from "./roles.ts";

/** What decides what a member's page of devices offers. */
export interface DashboardFacts {
  role: Role;
  /** The club is under maintenance. */
  maintenance: boolean;
  entitlement: { allowed: boolean; reason: EntitlementReason };
  /** There was a subscription once. */
  hadSubscription: boolean;
  devices: number;
  limit: number;
  /** A linked account is needed for every device after the first, and there is none; null while that is not known. */
  mustLink: boolean | null;
  /** Somewhere a new device can be made; null while that is not known: then the panel's verdict is waited for. */
  hasInterface: boolean | null;
}

/** Why no config can be created now. */
export type Obstacle = "quota" | "expired" | "none" | "limit" | "noInterfaces" | "telegram";

/** The way out of an obstacle. */
export type Door = "pay" | "support" | "repair" | "link";

export interface NextStep {
  /** Nothing but the club's notice of its maintenance is shown. */
  isStopped: boolean;
  obstacle: Obstacle | null;
  /** Null only where there is no obstacle. */
  door: Door | null;
  mayCreate: boolean;
  /** What stands where there is no device: how to make the first one, perhaps with the link that the second needs, or that it comes later. */
  empty: "create" | "createAndLink" | "later" | null;
}

/** Maintenance leaves staff what they have (specification, member's side 6). */
export const isStoppedBy = (maintenance: boolean, role: Role): boolean => maintenance && !isStaff(role);

/** The one table of what a member can do next on the page of devices; held for every combination by next-step.test.ts. */
export function nextStep(facts: DashboardFacts): NextStep {
  const isStopped = isStoppedBy(facts.maintenance, facts.role);
  const obstacle = isStopped ? null : obstacleOf(facts);
  const mayCreate = !isStopped && obstacle === null;
  const isEmpty = !isStopped && facts.devices === 0;
  return {
    isStopped,
    obstacle,
    door: obstacle && doorOf(obstacle, facts.role),
    mayCreate,
    empty: !isEmpty ? null : !mayCreate ? "later" : facts.mustLink ? "createAndLink" : "create",
  };
}

function obstacleOf({ entitlement, hadSubscription, devices, limit, hasInterface, mustLink }: DashboardFacts) {
  if (entitlement.reason === "quota") return "quota";
  if (!entitlement.allowed) return hadSubscription ? "expired" : "none";
  if (limit !== NO_LIMIT && devices >= limit) return "limit";
  if (hasInterface === false) return "noInterfaces";
  // Last: linking an account is worth the trouble only where a device can then be added. The first may be what reaches Telegram at all.
  return mustLink && devices > 0 ? "telegram" : null;
}

function doorOf(obstacle: Obstacle, role: Role): Door {
  if (obstacle === "telegram") return "link";
  if (obstacle === "expired" || obstacle === "none") return "pay";
  // Who may look at what the panel's servers lack.
  if (obstacle === "noInterfaces" && role === "admin") return "repair";
  return "support";
}
