/** Choices for extending a subscription, in days; the first is the default. */
export const PERIODS = ["30", "90", "365"] as const;
export type Period = (typeof PERIODS)[number];
