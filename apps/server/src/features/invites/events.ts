import { eventType } from "../../platform/events.ts";

/** A code of staff's was made, changed, deactivated or used. */
export const inviteCodesChanged = eventType<Record<never, never>>("invite.codes_changed");
