/** What needs staff now. */
export const ALARMS = ["alarms"] as const;
