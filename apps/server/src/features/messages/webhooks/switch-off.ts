import type { Tx } from "../../../platform/database/database.ts";
import { webhookSwitchedOff } from "./events.ts";
import type { WebhookParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** The state of a webhook that starts over. */
export const FRESH = { failures: 0, failing_since: null, paused_until: null } as const;
export const OFF = "switched off";

/** The panel switches a webhook off by itself: what waits is given up, and admins are notified. */
export async function switchOff(
  { events, audit }: Pick<WebhookParts, "events" | "audit">,
  tx: Tx,
  { id, host }: { id: string; host: string },
  because: "gone" | "failing",
): Promise<void> {
  const row = await repository.lock(tx, id);
  if (row?.is_enabled !== 1) return;
  await repository.update(tx, id, { ...FRESH, is_enabled: 0, off_because: because });
  await repository.giveUpWaiting(tx, { webhookId: id }, OFF);
  await audit.record(tx, null, "webhook.switched_off", {
    target: id,
    before: { enabled: true },
    after: { enabled: false, host, reason: because },
  });
  await events.record(tx, webhookSwitchedOff, { webhookId: id, host, because });
}
