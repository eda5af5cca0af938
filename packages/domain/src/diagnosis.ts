import type { EntitlementReason } from "./entitlement.ts";
import { isActiveHandshake } from "./handshake.ts";
import { HOUR_MS, MINUTE_MS, type Moment } from "./moment.ts";

/** Every likely cause, in the order in which they are looked for (decisions, section 6). */
export const DIAGNOSIS_CAUSES = [
  "blocked",
  "expired",
  "no_subscription",
  "interface_off",
  "server_away",
  "applying",
  "outdated_file",
  "too_many_addresses",
  "no_dns",
  "all_well",
  "clock",
  "never_connected",
  "udp_blocked",
  "switched_off",
] as const;
export type DiagnosisCause = (typeof DIAGNOSIS_CAUSES)[number];

/** What the club sees of a device that is said not to work. */
export interface DiagnosisFacts {
  /** Its owner's right to the VPN, and the reason for it or against it. */
  entitlement: { allowed: boolean; reason: EntitlementReason };
  /** Staff blocked this config. */
  configBlocked: boolean;
  interfaceActive: boolean;
  /** The server does not answer the panel. */
  serverAway: boolean;
  /** The server confirmed the device's key. */
  onWire: boolean;
  /** The file on the device is older than what the panel would give now, or was never taken since the key was replaced. */
  fileOutdated: boolean;
  overPhoneLimit: boolean;
  /** ms since 1970, null when there never was one. */
  lastHandshake: number | null;
  /** Bytes that the device received in this hour and the one before. */
  receivedLately: number;
  /** Bytes that came from the device although no session of its could still run: `knocksFrom` says from when they count. */
  knocks: number;
  /** How far the clock of the device that asks is ahead of the server's, ms; null where it did not say. */
  clockAhead: number | null;
}

/** A session without a new handshake is over after this long (WireGuard's Reject-After-Time). */
const SESSION_LIFE_MS = 3 * MINUTE_MS;

/** Certificates and WireGuard's own greeting forgive less than this; the way of the question takes seconds at the most. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** An hour of keep-alives and new handshakes alone is under 10 KB each way: less than twice that is no page of a site. */
const HARDLY_ANYTHING_BYTES = 20 * 1024;

/** 'Lately' begins with this hour's predecessor; hours begin at whole hours of UTC, as the history keeps them. */
export const latelyFrom = (nowMs: number): number => nowMs - (nowMs % HOUR_MS) - HOUR_MS;

/** From when bytes of a device are knocks that were not answered with a session, ms. */
export const knocksFrom = (lastHandshake: number | null, nowMs: number): number =>
  lastHandshake === null ? 0 : Math.max(latelyFrom(nowMs), lastHandshake + SESSION_LIFE_MS);

/** The likely cause why a device does not work, as far as the club can see from its side. */
export function diagnose(facts: DiagnosisFacts, now: Moment): DiagnosisCause {
  return whyNotServed(facts) ?? whyFileUnfit(facts) ?? whyNotConnected(facts, now);
}

/** The club itself keeps the device off, or cannot serve it. */
function whyNotServed(facts: DiagnosisFacts): DiagnosisCause | null {
  const { allowed, reason } = facts.entitlement;
  if (facts.configBlocked || reason === "blocked") return "blocked";
  if (!allowed) return reason === "expired" ? "expired" : "no_subscription";
  if (!facts.interfaceActive) return "interface_off";
  if (facts.serverAway) return "server_away";
  return facts.onWire ? null : "applying";
}

function whyFileUnfit(facts: DiagnosisFacts): DiagnosisCause | null {
  if (facts.fileOutdated) return "outdated_file";
  return facts.overPhoneLimit && facts.lastHandshake === null ? "too_many_addresses" : null;
}

/** What the device's own traffic tells. */
function whyNotConnected(facts: DiagnosisFacts, now: Moment): DiagnosisCause {
  if (isActiveHandshake(facts.lastHandshake, now))
    return facts.receivedLately < HARDLY_ANYTHING_BYTES ? "no_dns" : "all_well";
  if (facts.clockAhead !== null && Math.abs(facts.clockAhead) >= CLOCK_TOLERANCE_MS) return "clock";
  if (facts.knocks > 0) return "udp_blocked";
  return facts.lastHandshake === null ? "never_connected" : "switched_off";
}
