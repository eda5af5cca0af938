import {
  MOST_WEBHOOK_DESCRIPTION,
  MOST_WEBHOOK_URL,
  MOST_WEBHOOKS,
  WEBHOOK_EVENTS,
  WEBHOOK_OFF_REASONS,
} from "@krug/domain/webhook-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, Page, Time } from "../fields.ts";
import { type SentEvent, WEBHOOK_DATA } from "./webhook-events.ts";

const Event = z.enum(WEBHOOK_EVENTS);
const Events = z.array(Event).min(1).max(WEBHOOK_EVENTS.length);

const Webhook = z.object({
  id: Id,
  url: z.string(),
  description: z.string(),
  events: z.array(Event),
  enabled: z.boolean(),
  /** Why the panel itself switched it off; null: it is on, or an admin did. */
  offBecause: z.enum(WEBHOOK_OFF_REASONS).nullable(),
  createdAt: Time,
  /** When deliveries started to fail; null: the last try succeeded. */
  failingSince: Time.nullable(),
  /** When the former secret stops signing too. */
  formerSecretUntil: Time.nullable(),
  /** Waiting deliveries, and those in the log that were given up. */
  waiting: z.int(),
  failed: z.int(),
});

/** One event on its way to one webhook. */
const Delivery = z.object({
  /** The event's id, sent as webhook-id; redelivery keeps it. */
  id: Id,
  event: z.enum(Object.keys(WEBHOOK_DATA) as SentEvent[]),
  at: Time,
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.int(),
  lastAt: Time.nullable(),
  /** What the receiver answered; null if it did not. */
  status: z.int().nullable(),
  /** Why there was no answer, or why it is not sent: `no answer in time`, `ECONNREFUSED`, `switched off`. */
  problem: z.string().nullable(),
  /** How long the last try took, ms. */
  durationMs: z.int().nullable(),
  nextAt: Time.nullable(),
});

const params = z.object({ id: Id });
const url = z.string().trim().max(MOST_WEBHOOK_URL);
const wish = { url, description: line(MOST_WEBHOOK_DESCRIPTION, 0), events: Events };
const change = { ...wish, enabled: z.boolean() };

/** Webhooks: signed requests that notify others' programs of events. Only for admins, and no token reaches these calls. */
export const webhooks = {
  list: endpoint("GET /admin/webhooks", {
    needs: "webhooks.change",
    summary: "All webhooks, oldest first",
    answer: z.array(Webhook).max(MOST_WEBHOOKS),
  }),
  make: endpoint("POST /admin/webhooks", {
    needs: "webhooks.change",
    trust: true,
    summary: "Add a webhook; its signing secret is in this answer only",
    body: z.strictObject(wish),
    answer: Webhook.extend({ secret: z.string() }),
    status: 201,
    creation: true,
    refusals: ["webhook.url_invalid", "webhook.address_refused", "webhook.too_many"],
  }),
  change: endpoint("PUT /admin/webhooks/{id}", {
    needs: "webhooks.change",
    trust: true,
    summary: "Change a webhook. While it is off, nothing is sent to it, and waiting deliveries are dropped",
    params,
    body: z
      .strictObject(change)
      .partial()
      .extend({
        /** The values the editor saw in the fields being changed: if one differs now, the change is refused. */
        expected: z.strictObject(change).partial().optional(),
      }),
    answer: Webhook,
    refusals: ["webhook.not_found", "webhook.changed_meanwhile", "webhook.url_invalid", "webhook.address_refused"],
  }),
  remove: endpoint("DELETE /admin/webhooks/{id}", {
    needs: "webhooks.change",
    summary: "Delete a webhook with its delivery log",
    params,
    refusals: ["webhook.not_found"],
  }),
  replaceSecret: endpoint("POST /admin/webhooks/{id}/secret", {
    needs: "webhooks.change",
    trust: true,
    summary: "Give a webhook a new signing secret, in this answer only; the old one may also sign for a day",
    params,
    body: z.strictObject({ keepFormer: z.boolean() }),
    answer: Webhook.extend({ secret: z.string() }),
    creation: true,
    refusals: ["webhook.not_found"],
  }),
  test: endpoint("POST /admin/webhooks/{id}/test", {
    needs: "webhooks.change",
    summary: "Send a webhook the event webhook.test, at once",
    params,
    answer: Delivery,
    status: 202,
    creation: true,
    refusals: ["webhook.not_found", "webhook.off"],
  }),
  deliveries: endpoint("GET /admin/webhooks/{id}/deliveries", {
    needs: "webhooks.change",
    summary: "A webhook's delivery log, newest first: 14 days of it",
    params,
    query: z.object({
      limit: Page.limit,
      cursor: Page.cursor,
      show: z.enum(["all", "waiting", "delivered", "failed"]).default("all"),
    }),
    answer: z.array(Delivery),
    refusals: ["webhook.not_found"],
  }),
  delivery: endpoint("GET /admin/webhooks/{id}/deliveries/{deliveryId}", {
    needs: "webhooks.change",
    summary: "One delivery, with the body that is sent",
    answer: Delivery.extend({ body: z.string() }),
    refusals: ["webhook.delivery_not_found"],
  }),
  redeliver: endpoint("POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
    needs: "webhooks.change",
    summary: "Send a delivery again, at once and under the same webhook-id",
    answer: Delivery,
    status: 202,
    creation: true,
    refusals: ["webhook.delivery_not_found", "webhook.off"],
  }),
};

export type WebhookAnswer = z.output<typeof Webhook>;
export type DeliveryAnswer = z.output<typeof Delivery>;
