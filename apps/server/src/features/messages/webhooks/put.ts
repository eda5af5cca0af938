import { randomUUID } from "node:crypto";
import type { SentEvent, WebhookData } from "@krug/contract/messages/webhook-events";
import type { WebhookEvent } from "@krug/domain/webhook-rules";
import type { Tx } from "../../../platform/database/database.ts";
import { WEBHOOKS_WRITTEN, type WebhookParts } from "./parts.ts";
import * as repository from "./repository.ts";
import { sealedUsername } from "./sealed.ts";
import type { DeliveryRow } from "./table.ts";

export type Put = ReturnType<typeof makePut>;

/** An event's data, without the username; `lastName`: the username of a member who is being deleted. */
export type Happened<Type extends SentEvent> = Omit<WebhookData<Type>, "username"> & { lastName?: string };

/** Writes an event and its deliveries in the event's own transaction: with it or not at all. */
export function makePut({ clock, signals, sealing }: Pick<WebhookParts, "clock" | "signals" | "sealing">) {
  let lastTurn = 0;

  const write = async <Type extends SentEvent>(
    tx: Tx,
    type: Type,
    happened: readonly Happened<Type>[],
    webhookIds: readonly string[],
    onceKey: string | null = null,
  ): Promise<string[]> => {
    const now = clock.now().getTime();
    const seal = happened.some(({ lastName }) => lastName !== undefined) ? await sealing.sealer(tx) : null;
    const rows = happened.map(({ lastName, ...data }) => ({
      id: randomUUID(),
      type,
      data: JSON.stringify(data),
      member_id: "memberId" in data ? (data.memberId as string) : null,
      sealed_username: null as string | null,
      once_key: onceKey,
      created_at: now,
    }));
    for (const [n, { lastName }] of happened.entries()) {
      const row = rows[n];
      if (row && seal && lastName !== undefined) row.sealed_username = sealedUsername(seal, row.id, lastName);
    }
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
    /** For every webhook that wants it; if none does, `describe` is not called. `onceKey`: of this very occasion. */
    async event<Type extends WebhookEvent>(
      tx: Tx,
      type: Type,
      describe: () => Promise<readonly Happened<Type>[]> | readonly Happened<Type>[],
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

    /** For this webhook only, whatever it wants. Returns the event's id. */
    async test(tx: Tx, webhookId: string): Promise<string> {
      const [id = ""] = await write(tx, "webhook.test", [{}], [webhookId]);
      return id;
    },
  };
}
