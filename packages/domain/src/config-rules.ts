import { type EntitlementStanding, entitlement } from "./entitlement.ts";
import { DAY_MS, MINUTE_MS, type Moment } from "./moment.ts";

export const DEVICE_TYPES = ["computer", "phone"] as const;
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** A config limit (or an invite's `maxUses`) that means no limit. */
export const NO_LIMIT = -1;
export const HIGHEST_CONFIG_LIMIT = 10_000;
/** How many configs the standard plan allows. */
export const DEFAULT_CONFIG_LIMIT = 3;

/** How long a deleted config can be restored. */
export const RESTORE_WINDOW_MS = MINUTE_MS;
/** How long a device that moves to another server can still use the old one, unless it connects to the new one first. */
const MOVE_WINDOW_MS = DAY_MS;

/** wg-quick uses the file name as the interface name, and Linux and Android allow no more characters. */
export const CONFIG_NAME_MAX = 15;
const CONFIG_NAME_PATTERN = /^[A-Za-z0-9_-]{1,15}$/;
// Windows opens a device instead of a file with one of these names, whatever the extension.
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

export type ConfigNameProblem = "config.name_length" | "config.name_characters" | "config.name_reserved";

/** Why this can't name a config, or null (decisions, section 6). The server checks that it is unique per member. */
export function whyNotConfigName(name: string): ConfigNameProblem | null {
  if (name.length < 1 || name.length > CONFIG_NAME_MAX) return "config.name_length";
  if (!CONFIG_NAME_PATTERN.test(name)) return "config.name_characters";
  return WINDOWS_DEVICE.test(name) ? "config.name_reserved" : null;
}

/** Whether a config's peer belongs on its interface (decisions, section 1). */
export const isPeerWanted = (standing: {
  isOwnerEntitled: boolean;
  isDeleted: boolean;
  isBlocked: boolean;
  /** Switched off because it was not seen (dormancy.ts). */
  isDormant: boolean;
  isInterfaceActive: boolean;
}): boolean =>
  standing.isOwnerEntitled &&
  !standing.isDeleted &&
  !standing.isBlocked &&
  !standing.isDormant &&
  standing.isInterfaceActive;

/**
 * A device moves at `now`, ms. Returns when the move ends (null if there is nothing to wait for) and whether the place it is
 * leaving is kept until then. `movesUntil`: the end of an earlier move that is still running. `isFileGivenOut`: a file for the
 * place it is leaving was given out, so the device may use it even if it never connected there. `stayUntil`, ms: a day if
 * omitted.
 */
export function moveAt(
  { movesUntil, isFileGivenOut }: { movesUntil: number | null; isFileGivenOut: boolean },
  now: number,
  stayUntil = now + MOVE_WINDOW_MS,
): { until: number | null; stays: boolean } {
  // No device can use a place whose file was never given out: it still uses the earlier place, whose deadline stays.
  if (!isFileGivenOut) return { until: movesUntil, stays: false };
  return { until: Math.max(movesUntil ?? 0, stayUntil), stays: true };
}

/** What decides whether a member may add a config. */
export interface NewConfigStanding extends EntitlementStanding {
  /** The club's setting; also false without a bot token (decisions, section 8). */
  telegramRequired: boolean;
  telegramLinked: boolean;
  /** Staff have blocked the member's configs, including future ones. */
  configsBlocked: boolean;
  /** NO_LIMIT or at least 0. */
  configLimit: number;
  /** The member's configs, without deleted ones. */
  configCount: number;
}

export type NoNewConfigReason =
  | "telegram.not_linked"
  | "member.blocked"
  | "config.blocked"
  | "quota.used_up"
  | "subscription.inactive"
  | "config.limit_reached";

/** The first reason this member may not add a config now, in the order the dashboard explains them; null if they may. */
export function whyNoNewConfig(standing: NewConfigStanding, now: Moment): NoNewConfigReason | null {
  if (lacksTelegram(standing)) return "telegram.not_linked";
  if (!standing.isActive) return "member.blocked";
  if (standing.configsBlocked) return "config.blocked";
  const { allowed, reason } = entitlement(standing, now);
  if (!allowed) return reason === "quota" ? "quota.used_up" : "subscription.inactive";
  const { configLimit, configCount } = standing;
  return configLimit !== NO_LIMIT && configCount >= configLimit ? "config.limit_reached" : null;
}

/** The first device is exempt: it may be needed to reach Telegram at all. */
function lacksTelegram({ telegramRequired, telegramLinked, configCount }: NewConfigStanding): boolean {
  return telegramRequired && !telegramLinked && configCount > 0;
}
