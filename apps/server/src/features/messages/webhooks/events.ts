import { eventType } from "../../../platform/events.ts";

/** The panel itself switched a webhook off. `host`: its receiver's. */
export const webhookSwitchedOff = eventType<{ webhookId: string; host: string; because: "gone" | "failing" }>(
  "webhook.switched_off",
);
