import type { EntitlementReason } from "./entitlement.ts";
import { isActiveHandshake } from "./handshake.ts";
import type { Moment } from "./moment.ts";

export interface DeviceFacts {
  /** As in the contract's answer about a config. */
  state: "applied" | "pending" | "off";
  /** By staff. */
  isBlocked: boolean;
  /** Switched off because it was not seen or its end came; null if it is not. */
  dormant: object | null;
  /** Its end, and whether it was switched off for that; null: it has none. */
  ends: { isOver: boolean } | null;
  /** When its server stopped answering; null while it answers. */
  serverAwaySince: string | null;
  stats: { lastHandshake: number | null };
}

export type DeviceState =
  | "blocked"
  | "dormant"
  | "ended"
  | "quota"
  | "no_subscription"
  | "interface_off"
  | "pending"
  | "server_away"
  | "never"
  | "online"
  | "seen";

/** How members see their device's state, on its card and in the bot. `right`: the owner's entitlement. */
export function deviceState(
  { state, isBlocked, dormant, ends, serverAwaySince, stats }: DeviceFacts,
  right: { allowed: boolean; reason: EntitlementReason },
  now: Moment,
): DeviceState {
  if (state === "off") {
    if (isBlocked) return "blocked";
    // Before what its owner lacks: only this is done on the card, and neither hides the other for long.
    if (dormant !== null) return ends?.isOver === true ? "ended" : "dormant";
    if (right.reason === "quota") return "quota";
    return right.allowed ? "interface_off" : "no_subscription";
  }
  if (state === "pending") return "pending";
  if (serverAwaySince !== null) return "server_away";
  if (stats.lastHandshake === null) return "never";
  return isActiveHandshake(stats.lastHandshake, now) ? "online" : "seen";
}
