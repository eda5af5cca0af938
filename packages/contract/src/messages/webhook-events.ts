import type { TEST_EVENT, WebhookEvent } from "@krug/domain/webhook-rules";
import { z } from "zod";
import { Id, Time } from "../fields.ts";

const member = { memberId: Id, username: z.string() };
const config = { configId: Id, ...member, interfaceId: Id, deviceType: z.enum(["computer", "phone"]) };
/** YYYY-MM. */
const period = z.string();
const months = z.int().positive();

/**
 * What each event contains: ids, names that tell an integrator what it is about, and times. Never keys, config files, invite
 * codes, receipts, or what somebody wrote. A deleted member's username is empty. Events of VIP members are included, because only
 * admins have webhooks.
 */
export const WEBHOOK_DATA = {
  "member.joined": { summary: "Somebody joined with an invite code", data: z.object(member) },
  "member.blocked": { summary: "A member was blocked", data: z.object(member) },
  "member.unblocked": { summary: "A member was unblocked", data: z.object(member) },
  "member.deleted": { summary: "A member was deleted; the username is free again", data: z.object(member) },
  "subscription.extended": { summary: "Staff gave a member more time", data: z.object({ ...member, until: Time }) },
  "subscription.undone": {
    summary: "Staff undid an extension within seconds; `subscriptionEnd` is null if there is none now",
    data: z.object({ ...member, subscriptionEnd: Time.nullable() }),
  },
  "subscription.ended": { summary: "A subscription ended", data: z.object({ ...member, endedAt: Time }) },
  "payment.claimed": {
    summary: "A member says they have paid, for so many months from this one on",
    data: z.object({ ...member, period, months }),
  },
  "payment.paid": {
    summary: "So many months from this one on were marked as paid; `subscriptionEnd` is null if there is none",
    data: z.object({ ...member, period, months, subscriptionEnd: Time.nullable() }),
  },
  "payment.undone": {
    summary: "Staff undid a payment within seconds; its months are as before, and a claim waits again",
    data: z.object({ ...member, period, months, subscriptionEnd: Time.nullable() }),
  },
  "payment.overdue": { summary: "A month was marked as overdue", data: z.object({ ...member, period }) },
  "config.created": { summary: "A config was created", data: z.object(config) },
  "config.restored": { summary: "A member took back the deletion of a config", data: z.object(config) },
  "config.deleted": { summary: "A config was deleted", data: z.object(config) },
  "ticket.opened": { summary: "A member opened a ticket", data: z.object({ ticketId: Id, ...member }) },
  "conversation.waits": {
    summary: "A member began to wait for an answer",
    data: z.object({ ...member, ticketId: Id.nullable() }),
  },
  "server.down": {
    summary: "A server has not answered for two minutes",
    data: z.object({ serverId: Id, name: z.string(), since: Time }),
  },
  "server.back": {
    summary: "A server that was down answers again",
    data: z.object({ serverId: Id, name: z.string(), since: Time, until: Time }),
  },
  "interface.addresses_low": {
    summary: "An interface has few free addresses left; once a day at most",
    data: z.object({ interfaceId: Id, name: z.string(), server: z.string(), free: z.int() }),
  },
  "backup.late": {
    summary: "No scheduled backup has succeeded for twice the interval",
    data: z.object({ since: Time }),
  },
  "webhook.test": { summary: "An admin pressed the test button", data: z.object({}) },
} as const satisfies Record<WebhookEvent | typeof TEST_EVENT, { summary: string; data: z.ZodObject }>;

/** The version of the shape below. Fields may be added under the same version; nothing else changes. */
export const WEBHOOK_VERSION = 1;

export type SentEvent = keyof typeof WEBHOOK_DATA;
export type WebhookData<Type extends SentEvent> = z.output<(typeof WEBHOOK_DATA)[Type]["data"]>;

/** The body of a webhook's request. `id` stays the same when it is sent again. */
export const webhookBody = (type: SentEvent) =>
  z.object({
    id: Id,
    type: z.literal(type),
    version: z.literal(WEBHOOK_VERSION),
    /** When it happened. */
    timestamp: Time,
    data: WEBHOOK_DATA[type].data,
  });
