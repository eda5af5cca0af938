import type { Contract } from "@krug/contract/api";
import type { DeliveryAnswer, WebhookAnswer } from "@krug/contract/messages/webhooks";
import { isoOf } from "@krug/domain/moment";
import type { WebhookEvent } from "@krug/domain/webhook-rules";
import type { Handlers } from "../../../platform/http/call.ts";
import { pageOf, readCursor, rowsFor, tellPage, writeCursor } from "../../../platform/pages.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Members } from "../../members/members/index.ts";
import { makeBodyOf } from "./body.ts";
import type { Webhooks } from "./index.ts";
import * as repository from "./repository.ts";
import { urlOf } from "./sealed.ts";
import type { WebhookRow } from "./table.ts";

interface Parts extends Platform {
  webhooks: Webhooks;
  members: Pick<Members, "byIds">;
}

export function makeWebhookRoutes(parts: Parts): Handlers<Contract["webhooks"]> {
  const { db, clock, sealing, webhooks } = parts;
  const bodyOf = makeBodyOf(parts);
  const { changes } = webhooks;

  const shown = async (rows: readonly WebhookRow[]): Promise<WebhookAnswer[]> => {
    const counts = await repository.counts(db);
    const now = clock.now().getTime();
    return rows.map((row) => ({
      id: row.id,
      url: urlOf(sealing, row).href,
      description: row.description,
      events: JSON.parse(row.events) as WebhookEvent[],
      enabled: row.is_enabled === 1,
      offBecause: row.off_because,
      createdAt: isoOf(row.created_at),
      failingSince: isoOf(row.failing_since),
      formerSecretUntil: isoOf((row.former_until ?? 0) > now ? row.former_until : null),
      ...(counts.get(row.id) ?? { waiting: 0, failed: 0 }),
    }));
  };
  const one = async (row: WebhookRow) => (await shown([row]))[0] ?? refuse("webhook.not_found");
  const delivery = async (id: string, eventId: string) =>
    (await repository.findDelivery(db, id, eventId)) ?? refuse("webhook.delivery_not_found");

  return {
    list: async () => shown(await repository.all(db)),

    async make({ actor, body }) {
      const { row, secret } = await changes.make(actor, body);
      return { ...(await one(row)), secret };
    },
    change: async ({ actor, params, body }) => one(await changes.change(actor, params.id, body)),
    remove: async ({ actor, params }) => void (await changes.remove(actor, params.id)),
    async replaceSecret({ actor, params, body }) {
      const { row, secret } = await changes.replaceSecret(actor, params.id, body);
      return { ...(await one(row)), secret };
    },

    test: async ({ params }) => toDelivery(await delivery(params.id, await changes.test(params.id))),

    async deliveries({ params, query: { limit, cursor, show }, reply }) {
      if ((await repository.find(db, params.id)) === undefined) refuse("webhook.not_found");
      const size = { limit };
      const state = show === "all" ? null : show;
      const after = readCursor(cursor, "number");
      const found = await repository.log(db, params.id, { state, after, limit: rowsFor(size) });
      const { rows, next } = pageOf(found, size, (last) => writeCursor(Number(last.turn), last.event_id));
      tellPage(reply, { next });
      return rows.map(toDelivery);
    },

    async delivery({ params }) {
      const row = await delivery(params.id, params.deliveryId);
      return { ...toDelivery(row), body: await bodyOf(db, { ...row, id: row.event_id }) };
    },
    async redeliver({ params }) {
      await changes.redeliver(params.id, params.deliveryId);
      return toDelivery(await delivery(params.id, params.deliveryId));
    },
  };
}

const toDelivery = (row: repository.LoggedDelivery): DeliveryAnswer => ({
  id: row.event_id,
  event: row.type,
  at: isoOf(row.created_at),
  state: row.state,
  attempts: row.attempts,
  lastAt: isoOf(row.last_at),
  status: row.last_status,
  problem: row.last_problem,
  durationMs: row.duration_ms,
  nextAt: isoOf(row.next_at),
});
