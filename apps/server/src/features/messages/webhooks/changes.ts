import { randomUUID } from "node:crypto";
import type { Contract } from "@krug/contract/api";
import type { BodyOf } from "@krug/contract/endpoint";
import { FORMER_SECRET_MS, MOST_WEBHOOK_URL, MOST_WEBHOOKS, type WebhookEvent } from "@krug/domain/webhook-rules";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { lockPlace } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { WEBHOOKS_WRITTEN, type WebhookParts } from "./parts.ts";
import type { Put } from "./put.ts";
import * as repository from "./repository.ts";
import { asFormer, sealed, urlOf } from "./sealed.ts";
import { newSecret } from "./signature.ts";
import { FRESH, OFF } from "./switch-off.ts";
import type { WebhookRow } from "./table.ts";

type Calls = Contract["webhooks"];

/** Admins' changes to webhooks. */
export function makeWebhookChanges(parts: WebhookParts, put: Put) {
  const { transact, clock, sealing, signals, internet, audit } = parts;
  const now = () => clock.now().getTime();

  /** Resolves the name before the transaction; each delivery checks its then current address again. */
  const checkedUrl = async (text: string): Promise<string> => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isFit = url?.protocol === "https:" && url.username === "" && url.password === "" && url.hash === "";
    if (url === null || !isFit || url.href.length > MOST_WEBHOOK_URL) refuse("webhook.url_invalid", { field: "url" });
    if ((await internet.isOpen(url)) === false) refuse("webhook.address_refused", { field: "url" });
    return url.href;
  };

  const fieldsOf = (row: WebhookRow) => ({
    url: urlOf(sealing, row).href,
    description: row.description,
    events: JSON.parse(row.events) as WebhookEvent[],
    enabled: row.is_enabled === 1,
  });
  /** For the audit: many receivers trust anyone who knows the rest of the address. */
  const audited = (row: WebhookRow) => {
    const { url, events, ...others } = fieldsOf(row);
    return { host: new URL(url).host, ...others, events: events.join(", ") };
  };

  return {
    /** The secret is answered only here. */
    async make(actor: Actor, { url, description, events }: BodyOf<Calls["make"]>) {
      const href = await checkedUrl(url);
      const secret = newSecret();
      const row = await transact(async (tx) => {
        // The lock keeps two admins from both taking the last slot.
        await lockPlace(tx, "webhooks");
        if ((await repository.all(tx)).length >= MOST_WEBHOOKS) refuse("webhook.too_many", { max: MOST_WEBHOOKS });
        const seal = await sealing.sealer(tx);
        const id = randomUUID();
        const made: WebhookRow = {
          ...FRESH,
          id,
          description,
          sealed_url: sealed(seal, "sealed_url", id, href),
          events: JSON.stringify([...new Set(events)]),
          is_enabled: 1,
          off_because: null,
          sealed_secret: sealed(seal, "sealed_secret", id, secret),
          sealed_former_secret: null,
          former_until: null,
          created_at: now(),
        };
        await repository.insert(tx, made);
        await audit.record(tx, actor.memberId, "webhook.added", { target: id, after: audited(made) });
        return made;
      });
      return { row, secret };
    },

    async change(actor: Actor, id: string, { expected, ...input }: BodyOf<Calls["change"]>): Promise<WebhookRow> {
      const href = input.url === undefined ? undefined : await checkedUrl(input.url);
      return transact(async (tx) => {
        const before = (await repository.lock(tx, id)) ?? refuse("webhook.not_found");
        const fields = changedMeanwhile(fieldsOf(before), input, expected);
        if (fields.length > 0) refuse("webhook.changed_meanwhile", { fields });
        const isOther = href !== undefined && href !== urlOf(sealing, before).href;
        const isTurned = input.enabled !== undefined && input.enabled !== (before.is_enabled === 1);
        const change: Partial<WebhookRow> = {
          ...(input.description === undefined ? {} : { description: input.description }),
          ...(input.events === undefined ? {} : { events: JSON.stringify([...new Set(input.events)]) }),
          // A new receiver has no failures yet.
          ...(isOther ? { ...FRESH, sealed_url: sealed(await sealing.sealer(tx), "sealed_url", id, href) } : {}),
          ...(isTurned ? { ...FRESH, is_enabled: Number(input.enabled), off_because: null } : {}),
        };
        if (Object.keys(change).length === 0) return before;
        await repository.update(tx, id, change);
        // Also when switched on: what was written while it was being switched off is outdated.
        if (isTurned) await repository.giveUpWaiting(tx, { webhookId: id }, OFF);
        const after = { ...before, ...change };
        await audit.record(tx, actor.memberId, "webhook.changed", {
          target: id,
          before: audited(before),
          after: audited(after),
        });
        return after;
      });
    },

    remove: (actor: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const row = (await repository.lock(tx, id)) ?? refuse("webhook.not_found");
        await repository.remove(tx, id);
        await audit.record(tx, actor.memberId, "webhook.deleted", { target: id, before: audited(row) });
      }),

    /** The secret is answered only here. */
    async replaceSecret(actor: Actor, id: string, { keepFormer }: BodyOf<Calls["replaceSecret"]>) {
      const secret = newSecret();
      const row = await transact(async (tx) => {
        const before = (await repository.lock(tx, id)) ?? refuse("webhook.not_found");
        const seal = await sealing.sealer(tx);
        const change = {
          sealed_secret: sealed(seal, "sealed_secret", id, secret),
          sealed_former_secret: keepFormer ? asFormer(sealing, seal, before) : null,
          former_until: keepFormer ? now() + FORMER_SECRET_MS : null,
        };
        await repository.update(tx, id, change);
        await audit.record(tx, actor.memberId, "webhook.secret_replaced", { target: id });
        return { ...before, ...change };
      });
      return { row, secret };
    },

    /** Ends a pause: whoever presses wants to see the result now. Returns the event's id. */
    test: (id: string): Promise<string> =>
      transact(async (tx) => {
        const row = (await repository.lock(tx, id)) ?? refuse("webhook.not_found");
        if (row.is_enabled !== 1) refuse("webhook.off");
        await repository.update(tx, id, { paused_until: null });
        return put.test(tx, id);
      }),

    /** The same body under the same id, with all its retries again. */
    redeliver: (id: string, eventId: string): Promise<void> =>
      transact(async (tx) => {
        const row = (await repository.lock(tx, id)) ?? refuse("webhook.delivery_not_found");
        const delivery = (await repository.findDelivery(tx, id, eventId)) ?? refuse("webhook.delivery_not_found");
        if (row.is_enabled !== 1) refuse("webhook.off");
        await repository.update(tx, id, { paused_until: null });
        await repository.updateDelivery(
          tx,
          { webhookId: id, eventId },
          { state: "waiting", former_attempts: delivery.attempts, waiting_since: now(), next_at: now() },
        );
        signals.send(tx, WEBHOOKS_WRITTEN);
      }),
  };
}
