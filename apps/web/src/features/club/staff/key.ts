/** What needs staff now. */
export const ALARMS = ["alarms"] as const;
/** Everything that shows members: refetched after any change. */
export const MEMBERS = ["users"] as const;
