import { eventType } from "../../../platform/events.ts";

/** The rules, what their domains resolve to, or what servers hold of them has changed. `isVips`: for VIP members only. */
export const accessRulesChanged = eventType<{ isVips: boolean }>("access_rules.changed");
