import { randomUUID } from "node:crypto";
import type { SentEvent, WebhookData } from "@krug/contract/webhook-events";
import type { WebhookEvent } from "@krug/domain/webhook-rules";
import type { Tx } from "../../platform/database/database.ts";
import { WEBHOOKS_WRITTEN, type WebhookParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { DeliveryRow } from "./table.ts";

export type Put = ReturnType<typeof makePut>;

/** Writes what happened and its deliveries in the transaction of the event: with it or not at all. */
export function makePut({ clock, signals }: Pick<WebhookParts, "clock" | "signals">) {
  let lastTurn = 0;

  const write = async <Type extends SentEvent>(
    tx: Tx,
    type: Type,
    happened: readonly WebhookData<Type>[],
    webhookIds: readonly string[],
    onceKey: string | null = null,
  ): Promise<string[]> => {
    const now = clock.now().getTime();
    const rows = happened.map((data) => ({
      id: randomUUID(),
      type,
      data: JSON.stringify(data),
      once_key: onceKey,
      created_at: now,
    }));
    const written = await repository.insertEvents(tx, rows);
    const ids = rows.flatMap(({ id }) => (written.has(id) ? [id] : []));
    const deliveries = ids.flatMap((event_id) => {
      lastTurn = Math.max(lastTurn + 1, now * 1_000);
      return webhookIds.map(
        (webhook_id): DeliveryRow => ({
          webhook_id,
          event_id,
          turn: lastTurn,
          state: "waiting",
          attempts: 0,
          former_attempts: 0,
          waiting_since: now,
          next_at: now,
          last_at: null,
          last_status: null,
          last_problem: null,
          duration_ms: null,
        }),
      );
    });
    await repository.insertDeliveries(tx, deliveries);
    if (deliveries.length > 0) signals.send(tx, WEBHOOKS_WRITTEN);
    return ids;
  };

  return {
    /** For every webhook that wants it; where none does, `describe` is not asked. `onceKey`: of this very occasion. */
    async event<Type extends WebhookEvent>(
      tx: Tx,
      type: Type,
      describe: () => Promise<readonly WebhookData<Type>[]>,
      onceKey: string | null = null,
    ): Promise<void> {
      const wanting = (await repository.listening(tx)).filter(({ events }) =>
        (JSON.parse(events) as string[]).includes(type),
      );
      if (wanting.length === 0) return;
      await write(
        tx,
        type,
        await describe(),
        wanting.map(({ id }) => id),
        onceKey,
      );
    },

    /** For this webhook alone, whatever it wants. Answers the event's id. */
    async test(tx: Tx, webhookId: string): Promise<string> {
      const [id = ""] = await write(tx, "webhook.test", [{}], [webhookId]);
      return id;
    },
  };
}
