import { sql } from "kysely";
import { chunks } from "../../../platform/database/chunks.ts";
import { type Db, isPostgres, lockRows, type Tx } from "../../../platform/database/database.ts";
import type { Place } from "../../../platform/pages.ts";
import type { DeliveryRow, EventRow, WebhookRow, WebhookTables } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<WebhookTables>();

/** The oldest first. */
export const all = (db: Db | Tx): Promise<WebhookRow[]> =>
  tables(db).selectFrom("webhooks").selectAll().orderBy("created_at").orderBy("id").execute();

export const find = (db: Db | Tx, id: string): Promise<WebhookRow | undefined> =>
  tables(db).selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst();

export const lock = (tx: Tx, id: string): Promise<WebhookRow | undefined> =>
  tables(tx).selectFrom("webhooks").selectAll().where("id", "=", id).$call(lockRows(tx)).executeTakeFirst();

export async function insert(tx: Tx, row: WebhookRow): Promise<void> {
  await tables(tx).insertInto("webhooks").values(row).execute();
}

export async function update(tx: Tx, id: string, change: Partial<WebhookRow>): Promise<void> {
  await tables(tx).updateTable("webhooks").set(change).where("id", "=", id).execute();
}

/** Deletes it with its deliveries; events stay for the others' logs until they are old. */
export async function remove(tx: Tx, id: string): Promise<void> {
  await tables(tx).deleteFrom("webhooks").where("id", "=", id).execute();
}

/** Those that are on, with the events they want. None of them can be deleted until the transaction ends. */
export const listening = (tx: Tx): Promise<Pick<WebhookRow, "id" | "events">[]> =>
  tables(tx)
    .selectFrom("webhooks")
    .select(["id", "events"])
    .where("is_enabled", "=", 1)
    .$if(isPostgres(tx), (query) => query.forKeyShare())
    .execute();

/** Returns the ids of the new ones: a repeated occasion is skipped by its key. */
export async function insertEvents(tx: Tx, rows: readonly EventRow[]): Promise<Set<string>> {
  const written = new Set<string>();
  for (const some of chunks(rows)) {
    const found = await tables(tx)
      .insertInto("webhook_events")
      .values(some)
      .onConflict((conflict) => conflict.column("once_key").doNothing())
      .returning("id")
      .execute();
    for (const { id } of found) written.add(id);
  }
  return written;
}

export async function insertDeliveries(tx: Tx, rows: readonly DeliveryRow[]): Promise<void> {
  for (const some of chunks(rows)) await tables(tx).insertInto("webhook_deliveries").values(some).execute();
}

/** When each active webhook's next delivery is due, ms. Costs one index lookup for each. */
export async function nextDues(db: Db): Promise<{ id: string; at: number }[]> {
  const rows = await tables(db)
    .selectFrom("webhooks as w")
    .select(({ selectFrom }) => [
      "w.id",
      "w.paused_until",
      selectFrom("webhook_deliveries as d")
        .select(({ fn }) => fn.min("d.next_at").as("first"))
        .whereRef("d.webhook_id", "=", "w.id")
        .where("d.next_at", "is not", null)
        .as("first"),
    ])
    .where("w.is_enabled", "=", 1)
    .execute();
  return rows.flatMap(({ id, first, paused_until }) =>
    first === null ? [] : [{ id, at: Math.max(Number(first), Number(paused_until ?? 0)) }],
  );
}

export type Due = Pick<DeliveryRow, "attempts" | "former_attempts"> & EventRow;

/** A webhook's first delivery that is due. */
export const nextDue = (db: Db, webhookId: string, now: number): Promise<Due | undefined> =>
  tables(db)
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as e", "e.id", "d.event_id")
    .selectAll("e")
    .select(["d.attempts", "d.former_attempts"])
    .where("d.webhook_id", "=", webhookId)
    .where("d.next_at", "<=", now)
    .orderBy("d.next_at")
    .orderBy("d.turn")
    .limit(1)
    .executeTakeFirst();

export async function updateDelivery(
  tx: Tx,
  { webhookId, eventId }: { webhookId: string; eventId: string },
  change: Partial<DeliveryRow>,
): Promise<void> {
  await tables(tx)
    .updateTable("webhook_deliveries")
    .set(change)
    .where("webhook_id", "=", webhookId)
    .where("event_id", "=", eventId)
    .execute();
}

/** Gives up what waits for this webhook; `since`: only what has waited since before that time, ms. */
export async function giveUpWaiting(
  tx: Tx,
  { webhookId, since }: { webhookId?: string; since?: number },
  problem: string,
): Promise<void> {
  await tables(tx)
    .updateTable("webhook_deliveries")
    .set({ state: "failed", next_at: null, last_problem: problem })
    .where("next_at", "is not", null)
    .$if(webhookId !== undefined, (query) => query.where("webhook_id", "=", webhookId ?? ""))
    .$if(since !== undefined, (query) => query.where("waiting_since", "<", since ?? 0))
    .execute();
}

export const findDelivery = (
  db: Db | Tx,
  webhookId: string,
  eventId: string,
): Promise<(DeliveryRow & Omit<EventRow, "id" | "once_key">) | undefined> =>
  tables(db)
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as e", "e.id", "d.event_id")
    .selectAll("d")
    .select(["e.type", "e.data", "e.created_at", "e.member_id", "e.sealed_username"])
    .where("d.webhook_id", "=", webhookId)
    .where("d.event_id", "=", eventId)
    .executeTakeFirst();

export type LoggedDelivery = DeliveryRow & Pick<EventRow, "type" | "created_at">;

/** The newest first, from a place on. */
export const log = (
  db: Db,
  webhookId: string,
  page: { state: DeliveryRow["state"] | null; after: Place | undefined; limit: number },
): Promise<LoggedDelivery[]> =>
  tables(db)
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as e", "e.id", "d.event_id")
    .selectAll("d")
    .select(["e.type", "e.created_at"])
    .where("d.webhook_id", "=", webhookId)
    .$if(page.state !== null, (query) => query.where("d.state", "=", page.state ?? "failed"))
    .$if(page.after !== undefined, (query) =>
      query.where(sql<boolean>`(d.turn, d.event_id) < (${page.after?.key}, ${page.after?.id})`),
    )
    .orderBy("d.turn", "desc")
    .orderBy("d.event_id", "desc")
    .limit(page.limit)
    .execute();

export interface Counts {
  waiting: number;
  failed: number;
}

/** For each webhook; costs one statement. */
export async function counts(db: Db): Promise<Map<string, Counts>> {
  const rows = await tables(db)
    .selectFrom("webhook_deliveries")
    .select(({ fn }) => ["webhook_id", "state", fn.countAll().as("count")])
    .where("state", "in", ["waiting", "failed"])
    .groupBy(["webhook_id", "state"])
    .execute();
  const found = new Map<string, Counts>();
  for (const { webhook_id, state, count } of rows) {
    const known = found.get(webhook_id) ?? { waiting: 0, failed: 0 };
    found.set(webhook_id, { ...known, [state]: Number(count) });
  }
  return found;
}

/** Deletes names of deleted members whose deliveries have all arrived or were given up. */
export async function forgetArrivedNames(tx: Tx): Promise<void> {
  await tables(tx)
    .updateTable("webhook_events")
    .set({ sealed_username: null })
    .where("sealed_username", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("webhook_deliveries as d")
            .select("d.event_id")
            .whereRef("d.event_id", "=", "webhook_events.id")
            .where("d.next_at", "is not", null),
        ),
      ),
    )
    .execute();
}

/** Deletes expired former secrets. */
export async function forgetFormerSecrets(tx: Tx, now: number): Promise<void> {
  await tables(tx)
    .updateTable("webhooks")
    .set({ sealed_former_secret: null, former_until: null })
    .where("former_until", "<=", now)
    .execute();
}

/** Deletes at most `limit` events from before that time, with their deliveries; returns how many. */
export async function deleteEventsBefore(tx: Tx, at: number, limit: number): Promise<number> {
  const old = tables(tx).selectFrom("webhook_events").select("id").where("created_at", "<", at).limit(limit);
  const gone = await tables(tx).deleteFrom("webhook_events").where("id", "in", old).returning("id").execute();
  return gone.length;
}

/** Deletes at most `limit` settled deliveries of this webhook beyond the newest `most`; returns how many. */
export async function deleteBeyond(tx: Tx, webhookId: string, most: number, limit: number): Promise<number> {
  const beyond = tables(tx)
    .selectFrom("webhook_deliveries")
    .select("event_id")
    .where("webhook_id", "=", webhookId)
    .where("next_at", "is", null)
    .orderBy("turn", "desc")
    .limit(limit)
    .offset(most);
  const gone = await tables(tx)
    .deleteFrom("webhook_deliveries")
    .where("webhook_id", "=", webhookId)
    .where("event_id", "in", beyond)
    .returning("event_id")
    .execute();
  return gone.length;
}

/** For a restored database: what it was to send is days old, and the club it is a copy of may still run. */
export async function switchOffRestored(tx: Tx): Promise<void> {
  await giveUpWaiting(tx, {}, "restored");
  await tables(tx)
    .updateTable("webhooks")
    .set({ is_enabled: 0, off_because: "restored", paused_until: null })
    .where("is_enabled", "=", 1)
    .execute();
}
