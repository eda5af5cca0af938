/** By how many days a subscription is extended at a press; the first one is offered. */
export const PERIODS = ["30", "90", "365"] as const;
export type Period = (typeof PERIODS)[number];
