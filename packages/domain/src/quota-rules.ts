/**
 * What happens when a quota is used up: the member is notified and keeps access, and until the period ends nothing changes, the VPN is
 * slow, or it stops.
 */
export const QUOTA_ENDS = ["tell", "slow", "cut"] as const;
export type QuotaEnd = (typeof QUOTA_ENDS)[number];

/** What a member is told about a quota: most of it is used, all of it is. */
export const QUOTA_STAGES = ["nearly", "used_up"] as const;
export type QuotaStage = (typeof QUOTA_STAGES)[number];

/** A member is warned once this share of the quota is used. */
export const QUOTA_WARNED_AT = 0.8;

/** How far a quota is used, in bytes; null: nothing to report yet. */
export function quotaStage(used: number, quota: number): QuotaStage | null {
  if (used >= quota) return "used_up";
  return used >= quota * QUOTA_WARNED_AT ? "nearly" : null;
}

/** The stage reached when usage grew from `before` to `now`; a stage is reached only once. */
export function quotaStageReached(before: number, now: number, quota: number): QuotaStage | null {
  const stage = quotaStage(now, quota);
  return stage === quotaStage(before, quota) ? null : stage;
}
