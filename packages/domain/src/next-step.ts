import { NO_LIMIT } from "./config-rules.ts";
import type { EntitlementReason } from "./entitlement.ts";
import { isStaff, type Role } from "./roles.ts";

/** The facts that decide what a member's devices page offers. */
export interface DashboardFacts {
  role: Role;
  /** The club is under maintenance. */
  maintenance: boolean;
  entitlement: { allowed: boolean; reason: EntitlementReason };
  /** The member once had a subscription. */
  hadSubscription: boolean;
  devices: number;
  limit: number;
  /** The member needs a linked account for every device after the first and has none; null while unknown. */
  mustLink: boolean | null;
  /** There is an interface for a new device; null while unknown, then the panel's answer is awaited. */
  hasInterface: boolean | null;
}

/** Why no config can be created now. */
export type Obstacle = "quota" | "expired" | "none" | "limit" | "noInterfaces" | "telegram";

/** The way out of an obstacle. */
export type Door = "pay" | "support" | "repair" | "link";

export interface NextStep {
  /** Only the club's maintenance notice is shown. */
  isStopped: boolean;
  obstacle: Obstacle | null;
  /** Null only if there is no obstacle. */
  door: Door | null;
  mayCreate: boolean;
  /**
   * What is shown if there are no devices: how to make the first one, perhaps with the link that the second needs, or that it
   * comes later.
   */
  empty: "create" | "createAndLink" | "later" | null;
}

/** Staff keep full access during maintenance (specification, member's side 6). */
export const isStoppedBy = (maintenance: boolean, role: Role): boolean => maintenance && !isStaff(role);

/** The single table of what a member can do next on the devices page; next-step.test.ts checks every combination. */
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
  // Last: linking an account pays off only if a device can then be added. The first may be what makes Telegram reachable.
  return mustLink && devices > 0 ? "telegram" : null;
}

function doorOf(obstacle: Obstacle, role: Role): Door {
  if (obstacle === "telegram") return "link";
  if (obstacle === "expired" || obstacle === "none") return "pay";
  // Only those who may see what the servers lack.
  if (obstacle === "noInterfaces" && role === "admin") return "repair";
  return "support";
}
