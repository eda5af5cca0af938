import type { EntitlementReason } from "./entitlement.ts";
import { isActiveHandshake } from "./handshake.ts";
import { HOUR_MS, MINUTE_MS, type Moment } from "./moment.ts";

/** Every likely cause, in the order they are checked (decisions, section 6). */
export const DIAGNOSIS_CAUSES = [
  "blocked",
  "dormant",
  "ended",
  "expired",
  "no_subscription",
  "quota",
  "interface_off",
  "server_away",
  "tunnel_down",
  "applying",
  "outdated_file",
  "too_many_addresses",
  "not_forwarded",
  "exit_waits",
  "exit_direct",
  "exit_other",
  "no_dns",
  "all_well",
  "clock",
  "tunnel_blocked",
  "never_connected",
  "udp_blocked",
  "switched_off",
] as const;
export type DiagnosisCause = (typeof DIAGNOSIS_CAUSES)[number];

/** What the club sees of a device reported as not working. */
export interface DiagnosisFacts {
  /** Whether its owner is entitled, and why or why not. */
  entitlement: { allowed: boolean; reason: EntitlementReason };
  /** Staff blocked this config. */
  configBlocked: boolean;
  /** Switched off because it was not seen, or its end came. */
  dormant: boolean;
  hasEnded: boolean;
  interfaceActive: boolean;
  /** The server does not answer the panel. */
  serverAway: boolean;
  /** The interface does not answer the panel's own handshakes (see probe.ts). */
  tunnelDown: boolean;
  /** The server is known, or seems, not to forward what devices send. */
  notForwarded: boolean;
  /** What the interface does with traffic of exits that do not answer, one for each such exit; see `downAmong`. */
  exitsDown: readonly ("wait" | "direct" | "other")[];
  /** When it started to answer them from outside, ms since 1970; null if it does not, or if unknown. */
  tunnelAnswersSince: number | null;
  /** The server confirmed the device's key. */
  onWire: boolean;
  /** The file on the device is older than the one the panel would give now, or was not downloaded since the key was replaced. */
  fileOutdated: boolean;
  /** When the file was last given out, ms since 1970; null if not since the key was made. */
  fileGivenAt: number | null;
  overPhoneLimit: boolean;
  /** ms since 1970, null when there never was one. */
  lastHandshake: number | null;
  /** Bytes the device received in this hour and the one before. */
  receivedLately: number;
  /** Bytes from the device although none of its sessions can still be alive; see `tcpProbesFrom`. */
  tcpProbes: number;
  /** How far the asking device's clock is ahead of the server's, ms; null if unknown. */
  clockAhead: number | null;
}

/** A session without a new handshake expires after this long (WireGuard's Reject-After-Time). */
const SESSION_LIFE_MS = 3 * MINUTE_MS;

/** Certificates and WireGuard's handshake tolerate less than this; the request itself takes seconds at most. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** An hour of keep-alives and handshakes stays under 10 KB each way: less than twice that means no page loaded. */
const HARDLY_ANYTHING_BYTES = 20 * 1024;

/** A device that had this long to connect and did not is no longer just slow to be set up. */
const TIME_TO_CONNECT_MS = 15 * MINUTE_MS;

/** 'Lately' starts at the previous full hour; hours are full hours in UTC, as the history keeps them. */
export const latelyFrom = (nowMs: number): number => nowMs - (nowMs % HOUR_MS) - HOUR_MS;

/** When a device's bytes start to count as unanswered knocks, ms. */
export const tcpProbesFrom = (lastHandshake: number | null, nowMs: number): number =>
  lastHandshake === null ? 0 : Math.max(latelyFrom(nowMs), lastHandshake + SESSION_LIFE_MS);

/** The likely cause of a device not working, as far as the club can see. */
export function diagnose(facts: DiagnosisFacts, now: Moment): DiagnosisCause {
  return whyNotServed(facts, now) ?? whyFileUnfit(facts) ?? whyNotConnected(facts, now);
}

/** The club itself keeps the device off, or cannot serve it. */
function whyNotServed(facts: DiagnosisFacts, now: Moment): DiagnosisCause | null {
  const { allowed, reason } = facts.entitlement;
  if (facts.configBlocked || reason === "blocked") return "blocked";
  if (facts.dormant) return facts.hasEnded ? "ended" : "dormant";
  if (reason === "quota") return "quota";
  if (!allowed) return reason === "expired" ? "expired" : "no_subscription";
  if (!facts.interfaceActive) return "interface_off";
  if (facts.serverAway) return "server_away";
  // A connected device shows that the path is open, whatever the panel found.
  if (facts.tunnelDown && !isActiveHandshake(facts.lastHandshake, now)) return "tunnel_down";
  return facts.onWire ? null : "applying";
}

function whyFileUnfit(facts: DiagnosisFacts): DiagnosisCause | null {
  if (facts.fileOutdated) return "outdated_file";
  return facts.overPhoneLimit && facts.lastHandshake === null ? "too_many_addresses" : null;
}

/** What the device's own traffic shows. */
function whyNotConnected(facts: DiagnosisFacts, now: Moment): DiagnosisCause {
  if (isActiveHandshake(facts.lastHandshake, now)) {
    const isUsed = facts.receivedLately >= HARDLY_ANYTHING_BYTES;
    if (facts.notForwarded && !isUsed) return "not_forwarded";
    return whyExitFails(facts) ?? (isUsed ? "all_well" : "no_dns");
  }
  if (facts.clockAhead !== null && Math.abs(facts.clockAhead) >= CLOCK_TOLERANCE_MS) return "clock";
  if (seemsBlocked(facts, now)) return "tunnel_blocked";
  if (facts.tcpProbes > 0) return "udp_blocked";
  return facts.lastHandshake === null ? "never_connected" : "switched_off";
}

/** What arrived lately proves nothing here: it came before, or by another exit. */
function whyExitFails({ exitsDown }: DiagnosisFacts): DiagnosisCause | null {
  if (exitsDown.includes("wait")) return "exit_waits";
  if (exitsDown.includes("direct")) return "exit_direct";
  return exitsDown.length > 0 ? "exit_other" : null;
}

/**
 * Devices get through to the interface, but this one does not: its handshakes fail, or it took its file and nothing arrived. A
 * device that was never switched on looks the same, hence 'seems'.
 */
function seemsBlocked(
  { tunnelAnswersSince, fileGivenAt, lastHandshake, tcpProbes }: DiagnosisFacts,
  now: Moment,
): boolean {
  const isLongAgo = (at: number | null) => at !== null && now.valueOf() - at >= TIME_TO_CONNECT_MS;
  if (!isLongAgo(tunnelAnswersSince)) return false;
  if (tcpProbes > 0) return true;
  return isLongAgo(fileGivenAt) && (lastHandshake ?? 0) < (fileGivenAt ?? 0);
}
