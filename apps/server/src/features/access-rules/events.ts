import { eventType } from "../../platform/events.ts";

/** The rules, what their domains resolve to, or what servers hold of them is another now. */
export const accessRulesChanged = eventType<null>("access_rules.changed");
