import { eventType } from "../../platform/events.ts";

/**
 * A member's right to the VPN may have changed: blocked, unblocked, renewed, expired, made unlimited. `blockConfigs`, when
 * given: his configs are to be marked blocked, or that is lifted.
 */
export const memberStandingChanged = eventType<{ memberId: string; blockConfigs?: boolean }>("member.standing_changed");

/** Something that a member sees of himself changed: name, role, limit, subscription, accepted rules. */
export const memberChanged = eventType<{ memberId: string }>("member.changed");

/** A member is gone for good; whoever keeps something of his removes it. */
export const memberDeleted = eventType<{ memberId: string }>("member.deleted");
