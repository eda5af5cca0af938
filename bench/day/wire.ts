import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import type { WireChange } from "../../lab/server-doubles.ts";
import { at, median } from "../table.ts";
import type { Day } from "./part.ts";
import { complaints, seconds, until } from "./telling.ts";

/* What is on the wire, and how long it took to get there. */

export async function takeWire({ doubles, wire }: Pick<Day, "doubles" | "wire">): Promise<void> {
  for (const each of [doubles.lost, doubles.rest]) for (const change of await each.changes()) wire.push(change);
}

/** When a change of this kind first came to the wire after a moment, by public key. */
export function firstAfter(wire: readonly WireChange[], isOn: boolean, since: ReadonlyMap<string, number>) {
  const lags = new Map<string, number>();
  for (const [key, on, when] of wire) {
    const from = since.get(key);
    if (on === isOn && from !== undefined && when >= from && !lags.has(key)) lags.set(key, when - from);
  }
  return lags;
}
export function lagNote(
  what: string,
  lags: ReadonlyMap<string, number>,
  expected: number,
  limitMs: number | null,
): string {
  const all = [...lags.values()];
  const missing = expected - lags.size;
  const p99 = at(all, 0.99);
  if (missing > 0) complaints.push(`${what}: ${missing} of ${expected} never came`);
  if (limitMs !== null && p99 > limitMs) complaints.push(`${what}: p99 ${seconds(p99)}, not ${seconds(limitMs)}`);
  return `${what}: ${expected}, p50 ${seconds(median(all))}, p99 ${seconds(p99)}, longest ${seconds(at(all, 1))}`;
}
export const LAG_LIMIT_MS = 5_000;

interface Awaited {
  /** For messages, such as "every ended peer left". */
  all: string;
  /** For the note, such as "peers off the wire after their end". */
  what: string;
  isOn: boolean;
  /** When each change was due, by public key. */
  since: ReadonlyMap<string, number>;
  lookEveryMs: number;
}

/** Waits until all of these changes are on the wire, and says how long each took. */
export async function awaitedNote(day: Day, { all, what, isOn, since, lookEveryMs }: Awaited): Promise<string> {
  let lags = new Map<string, number>();
  await until(all, async () => {
    await takeWire(day);
    lags = firstAfter(day.wire, isOn, since);
    return lags.size === since.size || wait(lookEveryMs, false);
  });
  return lagNote(what, lags, since.size, LAG_LIMIT_MS);
}

/** From the request of each device made since `from` to its peer. */
export async function devicesNote(day: Day, from: number, limitMs: number | null): Promise<string> {
  await takeWire(day);
  const made = [...day.work.ledger.devices].filter(([, { sentAt }]) => sentAt >= from);
  const keys = await keysOf(
    day.database,
    made.map(([id]) => id),
  );
  const since = new Map(made.flatMap(([id, { sentAt }]) => [[keys.get(id) ?? id, sentAt] as const]));
  return lagNote("new devices on the wire after their request", firstAfter(day.wire, true, since), since.size, limitMs);
}
async function keysOf(database: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; public_key: string }>`
    select id, public_key from configs where id = any(${[...ids]}::text[])`.execute(database.db);
  return new Map(rows.map(({ id, public_key }) => [id, public_key]));
}

/** The keys that the database wants on the wire now, and those that are there. */
export async function wire({ database, doubles }: Day) {
  const { rows } = await sql<{ public_key: string }>`
    select public_key from configs join members on members.id = member_id
    where configs.deleted_at is null and is_blocked = 0 and dormant_since is null and is_active = 1
      and (is_unlimited = 1 or subscription_end > ${Date.now()})`.execute(database.db);
  const there = [...(await doubles.lost.keys()), ...(await doubles.rest.keys())].flat();
  return { wanted: new Set(rows.map(({ public_key }) => public_key)), there: new Set(there) };
}
export async function wireIsRight(day: Day): Promise<boolean> {
  const { wanted, there } = await wire(day);
  return (wanted.size === there.size && [...wanted].every((key) => there.has(key))) || wait(1_000, false);
}
