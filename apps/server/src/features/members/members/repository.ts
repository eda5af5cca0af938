import { nameKey } from "@krug/domain/name-search";
import { lowerSpeed } from "@krug/domain/speed-rules";
import { sql } from "kysely";
import { chunks, inChunks } from "../../../platform/database/chunks.ts";
import { type Db, lockPlace, lockRows, type Tx } from "../../../platform/database/database.ts";
import { prepared, preparedForList } from "../../../platform/database/prepared.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Place } from "../../../platform/pages.ts";
import { type EndMove, enter, nothingYet, positionsOf } from "./ledger.ts";
import type { MemberRow, MemberTables } from "./table.ts";
import { insertUse } from "./use.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();
const living = (db: Db | Tx) => tables(db).selectFrom("members").selectAll().where("deleted_at", "is", null);

/** For another feature's `from`: all members who are not deleted, as whole rows. */
export const rows = living;

export const find = (db: Db | Tx, id: string): Promise<MemberRow | undefined> =>
  living(db).where("id", "=", id).executeTakeFirst();

export const findByUsername = (db: Db | Tx, username: string): Promise<MemberRow | undefined> =>
  living(db).where("username_key", "=", username.toLowerCase()).executeTakeFirst();

/** Where a path takes an id it also takes a username, id first (decisions, section 2). */
export const findByIdOrUsername = async (db: Db | Tx, text: string) =>
  (await find(db, text)) ?? (await findByUsername(db, text));

export const findByTelegramId = (db: Db | Tx, telegramId: string): Promise<MemberRow | undefined> =>
  living(db).where("telegram_id", "=", telegramId).executeTakeFirst();

/** Which of these members the bot can write to. */
export async function linkedAmong(db: Db | Tx, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const some of chunks(ids))
    for (const { id } of await tables(db)
      .selectFrom("members")
      .select("id")
      .where("id", "in", some)
      .where("telegram_id", "is not", null)
      .where("telegram_blocked_at", "is", null)
      .where("is_active", "=", 1)
      .execute())
      found.push(id);
  return found;
}

/** `withVip`: only admins may count VIP members. */
export async function countTelegramConnected(db: Db, withVip: boolean): Promise<number> {
  const row = await tables(db)
    .selectFrom("members")
    .select(({ fn }) => fn.countAll().as("members"))
    .where("telegram_id", "is not", null)
    .where("telegram_blocked_at", "is", null)
    .where("deleted_at", "is", null)
    .$if(!withVip, (query) => query.where("is_vip", "=", 0))
    .executeTakeFirst();
  return Number(row?.members ?? 0);
}

/** The member with the row locked until the transaction ends: limits are counted under this lock. */
export const lock = async (tx: Tx, id: string): Promise<MemberRow | undefined> => (await lockAll(tx, [id]))[0];

/**
 * The same for several, by id; at most about a thousand. One statement locks all rows in one order, so that overlapping locks cannot
 * deadlock.
 */
export const lockAll = preparedForList((tx: Tx, ids) =>
  living(tx).where("id", "in", ids).orderBy("id").$call(lockRows(tx)),
);

export async function byIds(db: Db | Tx, ids: readonly string[]): Promise<MemberRow[]> {
  const rows: MemberRow[] = [];
  for (const some of chunks(ids)) rows.push(...(await someById(db, some)));
  return rows;
}
const someById = preparedForList((db, ids) => living(db).where("id", "in", ids));

/** What decides whether these members may use the VPN. */
export async function standings(db: Db | Tx, ids: readonly string[]): Promise<Standing[]> {
  const rows: Standing[] = [];
  for (const some of chunks(ids)) rows.push(...(await someStandings(db, some)));
  return rows;
}
const STANDING = [
  ...(["id", "is_active", "is_unlimited", "subscription_end"] as const),
  ...(["referral_earned_at", "quota_used_up_until"] as const),
] as const;
type Standing = Pick<MemberRow, (typeof STANDING)[number]>;
const someStandings = preparedForList((db, ids) => living(db).clearSelect().select(STANDING).where("id", "in", ids));

/** Members whose speed is limited now (ms), by themselves or after their quota, by id, in Mbit/s; `ids`: only among these. */
export async function speedLimits(db: Db | Tx, now: number, ids?: readonly string[]): Promise<Map<string, number>> {
  const members = tables(db).selectFrom("members");
  const limited = (some?: readonly string[]) => {
    const own = members.select(["id", "speed_mbit as mbit"]).where("speed_mbit", ">", 0);
    const slowed = members
      .select(["id", "quota_slow_mbit as mbit"])
      .where("quota_slowed_until", ">", now)
      .where("is_unlimited", "=", 0);
    return some === undefined
      ? own.unionAll(slowed)
      : own.where("id", "in", some).unionAll(slowed.where("id", "in", some));
  };
  const rows = ids === undefined ? await limited().execute() : [];
  for (const some of chunks(ids ?? [])) rows.push(...(await limited(some).execute()));
  const limits = new Map<string, number>();
  // Ordered here: by the database it would read all members.
  for (const { id, mbit } of rows.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const lower = lowerSpeed(limits.get(id) ?? null, mbit);
    if (lower !== null) limits.set(id, lower);
  }
  return limits;
}

/** In any letter case. */
export const byUsernames = (db: Db | Tx, usernames: readonly string[]): Promise<MemberRow[]> =>
  inChunks([...new Set(usernames.map((name) => name.toLowerCase()))], (keys) =>
    living(db).where("username_key", "in", keys),
  );

/** ms; `until` is included, `after` is not. */
export type Moments = { after: number; until: number };

/** Members whose subscription, or month with a used-up quota, ended within these moments. */
export async function idsByEnds(db: Db, subscription: Moments, quota: Moments): Promise<string[]> {
  const rows = await endsPrepared(db, {
    endAfter: subscription.after,
    endUntil: subscription.until,
    quotaAfter: quota.after,
    quotaUntil: quota.until,
  });
  return rows.map((row) => row.id);
}
type Ends = Record<"endAfter" | "endUntil" | "quotaAfter" | "quotaUntil", number>;
const endsPrepared = prepared((db, { endAfter, endUntil, quotaAfter, quotaUntil }: Ends) => {
  const ending = (column: "subscription_end" | "quota_used_up_until", after: number, until: number) =>
    tables(db)
      .selectFrom("members")
      .select("id")
      .where("deleted_at", "is", null)
      .where(column, ">", after)
      .where(column, "<=", until);
  return ending("subscription_end", endAfter, endUntil).union(ending("quota_used_up_until", quotaAfter, quotaUntil));
});

/** Members cut off or slowed down by the quota until later than this moment (ms). */
export async function idsHeldBeyond(db: Db, at: number): Promise<string[]> {
  const held = (column: "quota_used_up_until" | "quota_slowed_until") =>
    tables(db).selectFrom("members").select("id").where(column, ">", at);
  const rows = await held("quota_used_up_until").unionAll(held("quota_slowed_until")).execute();
  return rows.map(({ id }) => id);
}

/** Members whose subscription ends between two moments (ms, both included), by its end; `after` is the last of the previous page. */
export const endingBetween = (
  db: Db,
  page: { from: number; to: number; after: { end: number; id: string } | null; limit: number },
) =>
  tables(db)
    .selectFrom("members")
    .select(["id", "is_active", "is_unlimited", "referral_earned_at", "subscription_source", "subscription_end"])
    .$narrowType<{ subscription_end: number }>()
    .where("deleted_at", "is", null)
    .where("subscription_end", ">=", page.from)
    .where("subscription_end", "<=", page.to)
    .$if(page.after !== undefined, (query) =>
      query.where((e) =>
        e.or([
          e("subscription_end", ">", page.after?.end ?? 0),
          e.and([e("subscription_end", "=", page.after?.end ?? 0), e("id", ">", page.after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("subscription_end")
    .orderBy("id")
    .limit(page.limit)
    .execute();

/** All members by id, a page at a time; `after` is the last of the previous page. */
export async function idsAfter(db: Db | Tx, after: string | null, limit: number): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("members")
    .select("id")
    .where("deleted_at", "is", null)
    .where("id", ">", after ?? "")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Members who joined by a code, the newest first, a page after `after`. `withVip`: the asker may see VIP members. */
export const joinedByCode = (
  db: Db,
  codeId: string,
  { withVip, after, limit }: { withVip: boolean; after: Place | undefined; limit: number },
): Promise<MemberRow[]> =>
  living(db)
    .where("invite_code_id", "=", codeId)
    .$if(!withVip, (query) => query.where("is_vip", "=", 0))
    .$if(after !== undefined, (query) =>
      query.where((e) => e(e.refTuple("created_at", "id"), "<", e.tuple(after?.key ?? 0, after?.id ?? ""))),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();

export async function countJoinedByCode(db: Db, codeId: string, withVip: boolean): Promise<number> {
  const row = await tables(db)
    .selectFrom("members")
    .select(({ fn }) => fn.countAll().as("members"))
    .where("deleted_at", "is", null)
    .where("invite_code_id", "=", codeId)
    .$if(!withVip, (query) => query.where("is_vip", "=", 0))
    .executeTakeFirst();
  return Number(row?.members ?? 0);
}

/** Returns false and writes nothing if the username is taken. `byId`: who gave the subscription that they begin with. */
export const insert = async (tx: Tx, row: MemberRow, byId: string | null = null): Promise<boolean> =>
  (await insertAll(tx, [row], byId)).has(row.id);

/** The same for many; returns the ids of those written. */
export async function insertAll(tx: Tx, rows: readonly MemberRow[], byId: string | null): Promise<Set<string>> {
  const written = new Set<string>();
  // Each has dozens of columns.
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    const some = rows.slice(at, at + ROWS_PER_STATEMENT);
    const answers = await tables(tx)
      .insertInto("members")
      .values(some.map((row) => ({ ...row, display_name_key: nameKey(row.display_name) })))
      .onConflict((conflict) => conflict.column("username_key").doNothing())
      .returning("id")
      .execute();
    for (const { id } of answers) written.add(id);
  }
  const added = rows.filter(({ id }) => written.has(id));
  await insertUse(
    tx,
    added.map(({ id }) => id),
  );
  const begun = added.flatMap(({ id, subscription_end: end, subscription_source: source, created_at: at }) =>
    end === null ? [] : [{ memberId: id, end, kind: BEGINS_BY[source ?? "payment"], byId, at }],
  );
  if (begun.length > 0)
    await enter(
      tx,
      begun.map(({ memberId }) => nothingYet(memberId)),
      begun,
    );
  return written;
}

const ROWS_PER_STATEMENT = 200;

const BEGINS_BY = { trial: "trial", code: "code", staff: "added", payment: "opening" } as const;

/** Only `moveEnds` moves a subscription. */
type MemberChange = Partial<Omit<MemberRow, "id" | "subscription_end" | "subscription_source">> & {
  subscription_end?: never;
  subscription_source?: never;
};

/**
 * Moves the ends of these locked members' subscriptions: whatever moves one goes through here, so that the ledger leads to the end in
 * force (ADR 171).
 */
export async function moveEnds(
  tx: Tx,
  moves: readonly (EndMove & { source: MemberRow["subscription_source"] })[],
): Promise<void> {
  const ids = moves.map(({ memberId }) => memberId);
  await enter(tx, await positionsOf(tx, ids), moves);
  await writeAll(
    tx,
    moves.map(({ memberId, end, source }) => ({
      id: memberId,
      columns: { subscription_end: end, subscription_source: source },
    })),
  );
}

export const update = (tx: Tx, id: string, change: MemberChange): Promise<void> => updateAll(tx, [{ id, change }]);

/** Changes members, each differently. One statement for all that change the same columns. Lock several members first. */
export const updateAll = (tx: Tx, changes: readonly { id: string; change: MemberChange }[]): Promise<void> =>
  writeAll(
    tx,
    changes.map(({ id, change }) => ({
      id,
      columns:
        change.display_name === undefined ? change : { ...change, display_name_key: nameKey(change.display_name) },
    })),
  );

async function writeAll(tx: Tx, rows: readonly { id: string; columns: Columns }[]): Promise<void> {
  for (const alike of groupBy(rows, ({ columns }) => Object.keys(columns).join()).values())
    for (const some of chunks(alike)) await updateAlike(tx, some);
}

type Columns = Partial<Record<string, string | number | null>>;

async function updateAlike(tx: Tx, rows: readonly { id: string; columns: Columns }[]): Promise<void> {
  const common: Columns = { ...rows[0]?.columns };
  const differing = Object.keys(common).filter((name) => rows.some(({ columns }) => columns[name] !== common[name]));
  if (differing.length === 0) {
    const ids = rows.map(({ id }) => id);
    await tables(tx).updateTable("members").set(common).where("id", "in", ids).execute();
    return;
  }
  for (const name of differing) delete common[name];
  // PostgreSQL treats values in a list as text without a cast.
  const typed = (name: string, { columns }: { columns: Columns }) => {
    const isText = rows.some((row) => typeof row.columns[name] === "string");
    return sql`cast(${columns[name]} as ${sql.raw(isText ? "text" : "bigint")})`;
  };
  const values = rows.map((row) => sql`(${sql.join([row.id, ...differing.map((name) => typed(name, row))])})`);
  const assignments = [
    ...Object.entries(common).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...differing.map((name) => sql`${sql.ref(name)} = own.${sql.ref(name)}`),
  ];
  await sql`with own (${sql.join(["id", ...differing].map((name) => sql.ref(name)))}) as (values ${sql.join(values)})
    update members set ${sql.join(assignments)} from own where members.id = own.id`.execute(tx);
}

/** Whether there is anyone who is not staff. */
export async function hasUsers(db: Db): Promise<boolean> {
  const found = living(db).clearSelect().select("id").where("role", "=", "user").limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

export async function isEmpty(db: Db | Tx): Promise<boolean> {
  return (await tables(db).selectFrom("members").select("id").limit(1).executeTakeFirst()) === undefined;
}

/** Admins who can sign in. */
export async function activeAdmins(tx: Tx): Promise<string[]> {
  const query = tables(tx)
    .selectFrom("members")
    .select("id")
    .where("role", "=", "admin")
    .where("is_active", "=", 1)
    .where("password_hash", "is not", null)
    .where("deleted_at", "is", null);
  return (await query.execute()).map((row) => row.id);
}

/** Active staff by name, to be assigned work. */
export async function activeStaff(db: Db | Tx): Promise<MemberRow[]> {
  // Filtered here: nearly everybody is active, and in SQL the condition would lead away from the index of roles.
  const rows = await living(db).where("role", "in", ["moderator", "admin"]).orderBy("display_name_key").execute();
  return rows.filter((row) => row.is_active === 1);
}
/** All staff, by name. */
export const staff = (db: Db, withVip: boolean): Promise<MemberRow[]> =>
  living(db)
    .where("role", "in", ["admin", "moderator"])
    .$if(!withVip, (query) => query.where("is_vip", "=", 0))
    .orderBy("username_key")
    .limit(1_000)
    .execute();

/** Which of these members are VIP: they do not exist for a moderator (decisions, section 2). */
export async function vipAmong(db: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const some of chunks(ids)) for (const { id } of await someVips(db, some)) found.add(id);
  return found;
}
const someVips = preparedForList((db, ids) =>
  living(db).clearSelect().select("id").where("id", "in", ids).where("is_vip", "=", sql.lit(1)),
);

/** Locks the key until the transaction ends: if two calls come with one key, the second waits for the first. */
export async function findBulkChange(
  tx: Tx,
  actorId: string,
  key: string,
): Promise<MemberTables["bulk_changes"] | undefined> {
  await lockPlace(tx, `bulk-change:${actorId}:${key}`);
  return tables(tx)
    .selectFrom("bulk_changes")
    .selectAll()
    .where("actor_id", "=", actorId)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
}

export async function insertBulkChange(tx: Tx, row: MemberTables["bulk_changes"]): Promise<void> {
  await tables(tx).insertInto("bulk_changes").values(row).execute();
}

export async function deleteBulkChangesBefore(tx: Tx, at: number): Promise<void> {
  await tables(tx).deleteFrom("bulk_changes").where("created_at", "<", at).execute();
}
