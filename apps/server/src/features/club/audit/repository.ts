import { AUDIT_ACTIONS, type AuditAction } from "@krug/domain/audit-actions";
import { AUDIT_FIELDS, type AuditKind, auditFieldOf } from "@krug/domain/audit-fields";
import { type Expression, type RawBuilder, sql } from "kysely";
import type { ClubTime } from "../../../platform/club-time.ts";
import { type Db, isPostgres, type Tx } from "../../../platform/database/database.ts";
import type { Place } from "../../../platform/pages.ts";
import type { AuditRow, AuditTables, Values } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<AuditTables>();

/** The search; null and undefined match anything. */
export interface AuditSearch {
  actions: readonly AuditAction[] | null;
  actorId: string | null;
  /** Ids of the members concerned, or, if there are too many, a query that finds the row's. */
  concerned: readonly string[] | Expression<unknown> | null;
  /** ms since 1970, both inclusive. */
  from: number | null;
  to: number | null;
  /** A reader who may not see VIP members sees nothing of them; `vip` is a query for their ids. */
  hidden: { vip: Expression<unknown> } | null;
}

export type FoundEntry = AuditRow & { names_before: string | null; names_after: string | null };

export async function isEmpty(db: Db): Promise<boolean> {
  return (await tables(db).selectFrom("audit").select("id").limit(1).executeTakeFirst()) === undefined;
}

function found(db: Db | Tx, { actions: shown, actorId, concerned, from, to, hidden }: AuditSearch) {
  return (
    tables(db)
      .selectFrom("audit")
      .$if(shown !== null && shown.length === 1, (query) =>
        query.where("audit.action", "=", shown?.[0] ?? "member.added"),
      )
      // Many kinds do not select a row well; the order does, and a planner uses no index for an expression.
      .$if(shown !== null && shown.length !== 1, (query) =>
        query.where(sql<boolean>`audit.action || '' in (${shown?.length ? sql.join([...shown]) : sql`null`})`),
      )
      .$if(actorId !== null, (query) => query.where("audit.actor_id", "=", actorId))
      .$if(concerned !== null, (query) =>
        query.where(
          Array.isArray(concerned)
            ? sql<boolean>`audit.member_id in (${concerned.length > 0 ? sql.join([...concerned]) : sql`null`})`
            : sql<boolean>`exists ${concerned}`,
        ),
      )
      .$if(from !== null, (query) => query.where("audit.at", ">=", from ?? 0))
      .$if(to !== null, (query) => query.where("audit.at", "<=", to ?? 0))
      .$if(hidden !== null, (query) =>
        query
          .where(sql<boolean>`(audit.actor_id is null or audit.actor_id not in ${hidden?.vip})`)
          .where(sql<boolean>`(audit.member_id is null or audit.member_id not in ${hidden?.vip})`)
          .where(isNotForThemAlone(db, sql`${hidden?.vip}`)),
      )
  );
}

/** An access rule for VIP members only is hidden with them, as in the list of rules. */
const isNotForThemAlone = (db: Db | Tx, vip: RawBuilder<unknown>) => {
  const rule = sql`coalesce(audit.after, audit.before)`;
  const whom = isPostgres(db)
    ? sql`jsonb_path_query(cast(${rule} as jsonb), '$.appliesTo[*]') as named(id) where named.id #>> '{}'`
    : sql`json_each(${rule}, '$.appliesTo') as named where named.value`;
  return sql<boolean>`case when audit.action in ('rule.added', 'rule.deleted')
    then exists (select 1 from ${whom} not in ${vip}) else 1 = 1 end`;
};

interface Page {
  after: Place | undefined;
  /** Entries to skip before the page. */
  skip?: number;
  limit: number;
}

const newest = (db: Db | Tx, filter: AuditSearch, { after, skip = 0, limit }: Page): Promise<FoundEntry[]> =>
  found(db, filter)
    .leftJoin("audit_names", "audit_names.entry_id", "audit.id")
    .selectAll("audit")
    .select(["audit_names.before as names_before", "audit_names.after as names_after"])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(audit.at, audit.id) < (${after?.key}, ${after?.id})`),
    )
    .orderBy("audit.at", "desc")
    .orderBy("audit.id", "desc")
    .limit(skip + limit)
    .execute();

/**
 * One query per act: some acts may be rare, and each has its own index that yields its newest at once. A single query would scan
 * the whole log for them.
 */
const byAct = (filter: AuditSearch): AuditSearch[] =>
  filter.actions === null || filter.actorId !== null || filter.concerned !== null
    ? [filter]
    : filter.actions.map((action) => ({ ...filter, actions: [action] }));

/** Of the newest entries, those looked through before each act is queried by itself: most pages are among them. */
const RECENT = 500;

/** When the oldest of them was, ms since 1970; null if there are not that many. */
async function startOfRecent(db: Db, { to }: AuditSearch, after: Place | undefined): Promise<number | null> {
  const row = await tables(db)
    .selectFrom("audit")
    .select("at")
    .$if(to !== null, (query) => query.where("at", "<=", to ?? 0))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(at, id) < (${after?.key}, ${after?.id})`))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .offset(RECENT - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The newest first, after `page.after`. */
export async function search(db: Db, filter: AuditSearch, page: Page): Promise<FoundEntry[]> {
  const { skip = 0, limit } = page;
  const queries = byAct(filter);
  if (queries.length > 1) {
    const recent = await startOfRecent(db, filter, page.after);
    const from = Math.max(recent ?? 0, filter.from ?? 0);
    const rows = await newest(db, { ...filter, from }, page);
    if (rows.length === skip + limit || recent === null || from > recent) return rows.slice(skip);
  }
  const pages = await Promise.all(queries.map((one) => newest(db, one, page)));
  return pages
    .flat()
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(skip, skip + limit);
}

/** How many there are, counting to `most` only. */
export async function countUpTo(db: Db, filter: AuditSearch, most: number): Promise<number> {
  let count = 0;
  for (const one of byAct(filter)) {
    const rows = found(db, one)
      .select(sql<number>`1`.as("one"))
      .limit(most - count);
    const row = await db
      .selectFrom(rows.as("counted"))
      .select(({ fn }) => fn.countAll().as("entries"))
      .executeTakeFirst();
    count += Number(row?.entries ?? 0);
    if (count >= most) break;
  }
  return count;
}

export async function forgetNames(tx: Tx, memberId: string): Promise<void> {
  await tables(tx).deleteFrom("audit_names").where("member_id", "=", memberId).execute();
}

/** An entry's values before or after: with names that still exist, and with ends as the club's days (ADR 19). */
export function valuesOf(
  action: AuditAction,
  rest: string | null,
  names: string | null,
  clubTime: ClubTime,
): Values | null {
  if (rest === null && names === null) return null;
  const recorded = [names, rest].flatMap((text) => (text === null ? [] : Object.entries(JSON.parse(text) as Values)));
  return Object.fromEntries(
    recorded.map(([name, value]) => {
      const field = auditFieldOf(AUDIT_ACTIONS[action], name);
      return [field, KINDS[field] === "day" && typeof value === "number" ? clubTime.write(value) : value];
    }),
  );
}

const KINDS: Readonly<Record<string, AuditKind | undefined>> = AUDIT_FIELDS;
