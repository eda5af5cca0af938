import { eventType } from "../../platform/events.ts";

/** The rules, what their domains resolve to, or what servers hold of them is another now. `memberIds`: by the devices of these alone. */
export const accessRulesChanged = eventType<{ memberIds: readonly string[] } | null>("access_rules.changed");
