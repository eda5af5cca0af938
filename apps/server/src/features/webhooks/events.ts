import type { WebhookOffReason } from "@krug/domain/webhook-rules";
import { eventType } from "../../platform/events.ts";

/** The panel itself switched a webhook off. `host`: where it led. */
export const webhookSwitchedOff = eventType<{ webhookId: string; host: string; because: WebhookOffReason }>(
  "webhook.switched_off",
);
