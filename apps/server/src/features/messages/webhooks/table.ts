import type { SentEvent } from "@krug/contract/messages/webhook-events";
import type { WebhookOffReason } from "@krug/domain/webhook-rules";

export type WebhookTables = {
  webhooks: {
    id: string;
    description: string;
    /** Sealed, because many receivers trust anyone who knows their address. */
    sealed_url: string;
    /** JSON: a list of events. */
    events: string;
    is_enabled: number;
    off_because: WebhookOffReason | null;
    sealed_secret: string;
    /** Signs next to the new one until `former_until`. */
    sealed_former_secret: string | null;
    former_until: number | null;
    /** Failures in a row, and since when; nothing is sent before `paused_until`. */
    failures: number;
    failing_since: number | null;
    paused_until: number | null;
    created_at: number;
  };
  webhook_events: {
    id: string;
    type: SentEvent;
    /** JSON, without the username: it is added when the event is sent (body.ts). */
    data: string;
    /** The member it is about. */
    member_id: string | null;
    /** The username of a deleted member, until it has arrived everywhere or was given up. */
    sealed_username: string | null;
    /** Identifies the occasion, which is recorded once. */
    once_key: string | null;
    created_at: number;
  };
  webhook_deliveries: {
    webhook_id: string;
    event_id: string;
    /** Microseconds since 1970, unique within one panel. */
    turn: number;
    state: "waiting" | "delivered" | "failed";
    attempts: number;
    /** Those before it was last resent by hand. */
    former_attempts: number;
    waiting_since: number;
    /** Null: it no longer waits. */
    next_at: number | null;
    last_at: number | null;
    last_status: number | null;
    last_problem: string | null;
    duration_ms: number | null;
  };
};

export type WebhookRow = WebhookTables["webhooks"];
export type EventRow = WebhookTables["webhook_events"];
export type DeliveryRow = WebhookTables["webhook_deliveries"];
