import { WEBHOOK_VERSION } from "@krug/contract/webhook-events";
import type { EventRow } from "./table.ts";

/** What is sent, byte for byte the same each time; the contract's `webhookBody` describes it. */
export const bodyOf = ({ id, type, data, created_at }: Pick<EventRow, "id" | "type" | "data" | "created_at">): string =>
  JSON.stringify({
    id,
    type,
    version: WEBHOOK_VERSION,
    timestamp: new Date(created_at).toISOString(),
    data: JSON.parse(data),
  });
