import { eventType } from "../../../platform/events.ts";

/** The rules, their domains' addresses, or what servers have of them changed. `isVips`: for VIP members only. */
export const accessRulesChanged = eventType<{ isVips: boolean }>("access_rules.changed");
