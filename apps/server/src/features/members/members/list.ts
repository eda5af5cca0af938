import { DAY_MS, HOUR_MS } from "@krug/domain/moment";
import { wordsSought } from "@krug/domain/name-search";
import type { Role } from "@krug/domain/roles";
import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { type PageOf, pageOf, readCursor, rowsFor, writeCursor } from "../../../platform/pages.ts";
import type { MemberRow, MemberTables, UseRow } from "./table.ts";

const tables = (db: Db | Tx) => db.withTables<MemberTables>();

/** What staff search for. `text`: its words in the username or display name, in any order, case and spelling. */
export interface MemberSearch {
  text: string | undefined;
  state: "all" | "active" | "blocked";
  /** VIP members are for admins only (decisions, section 2). */
  withVip: boolean;
  /** Only members who joined before this moment, ms. */
  joinedBefore?: number | undefined;
  isUnlimited?: boolean | undefined;
  ends?: SubscriptionEnds | undefined;
  role?: Role | undefined;
  /** Only members whose last handshake was at this moment (ms) or later. */
  seenSince?: number | undefined;
  /** Only members for whom staff have not decided on this month (YYYY-MM) or a later one. */
  unsettledIn?: string | undefined;
  /** Only members whose ids this query returns. */
  among?: Expression<string>;
  /** A condition of another feature. */
  also?: MemberCondition | undefined;
}

/** `holds`: the condition for a member's id; `isFew`: few members meet it, so they are found first. */
export interface MemberCondition {
  holds: (id: RawBuilder<string>) => RawBuilder<boolean>;
  isFew: boolean;
}

/** How a member's subscription ends, as the list sees it at `now` (ms). */
export interface SubscriptionEnds {
  how: "soon" | "ended" | "trial" | "unlimited";
  now: number;
  graceHours: number;
}

const SOON_MS = 7 * DAY_MS;

/** Values are written out for the partial indexes. `along`: SQLite follows the index of ends in order. */
function endsSo({ how, now, graceHours }: SubscriptionEnds, along?: MemberSort): RawBuilder<boolean> {
  if (how === "unlimited") return sql`is_unlimited = 1 and id > ''`;
  if (how === "soon" && along === "subscription") return sql`${END} > ${now} and ${END} <= ${now + SOON_MS}`;
  const between = (after: number, until: number) =>
    sql<boolean>`is_unlimited = 0 and subscription_end > ${after} and subscription_end <= ${until}`;
  if (how === "soon") return between(now, now + SOON_MS);
  if (how === "trial") return sql`is_unlimited = 0 and subscription_source = 'trial' and subscription_end > ${now}`;
  return sql`${between(0, now - graceHours * HOUR_MS)} and (referral_earned_at is null or is_active = 0)`;
}

export type MemberSort = "name" | "subscription" | "lastHandshake" | "monthBytes" | "createdAt";

export interface MemberPage {
  /** Default: by name. */
  sort?: MemberSort;
  order?: "asc" | "desc";
  cursor?: string | undefined;
  /** Rows left out before the page. */
  skip?: number;
  limit: number;
  spare?: number;
}

export type ListedRow = MemberRow & Pick<UseRow, "last_handshake_at" | "month_bytes">;

/** True for every member. It leads SQLite to the partial index that begins with the id. */
const ANY_ID = ["id", ">", ""] as const;

const isNamed = ({ text }: Pick<MemberSearch, "text">) => text !== undefined && text.trim() !== "";

/** A LIKE pattern that contains the spelling literally. */
const holding = (spelling: string) => `%${spelling.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * Leads SQLite's planner to the index that gives the order (`along`). If names are searched in another order, it takes the index that
 * contains the names. PostgreSQL needs no help.
 */
const found = (db: Db | Tx, filter: MemberSearch, { along }: { along?: MemberSort } = {}) => {
  const { text, state, withVip, joinedBefore, isUnlimited, unsettledIn, among, also, ends, role, seenSince } = filter;
  // SQLite uses no index for `+column`: a condition that most rows meet must not lead it to another one.
  const column = (name: "is_active" | "is_vip") =>
    along !== undefined || isNamed(filter) || ends !== undefined
      ? sql<number>`+${sql.ref(name)}`
      : sql<number>`${sql.ref(name)}`;
  return (
    tables(db)
      .selectFrom("members")
      .where("deleted_at", "is", null)
      .$if(isNamed(filter), (query) =>
        query.where((e) =>
          e.and(
            wordsSought(text ?? "").map((spellings) =>
              e.or(
                spellings.flatMap((spelling) =>
                  (["username_key", "display_name_key"] as const).map(
                    (key) => sql<boolean>`${e.ref(key)} like ${holding(spelling)} escape '\\'`,
                  ),
                ),
              ),
            ),
          ),
        ),
      )
      // True for every member: leads to the index of names.
      .$if(isNamed(filter) && along !== "name", (query) => query.where("display_name_key", ">", ""))
      .$if(state === "active", (query) => query.where(column("is_active"), "=", 1))
      .$if(state === "blocked", (query) => query.where("is_active", "=", 0))
      .$if(!withVip, (query) => query.where(column("is_vip"), "=", 0))
      .$if(joinedBefore !== undefined, (query) => query.where("created_at", "<", joinedBefore ?? 0))
      // Written out, not bound: only then is the partial index of unlimited members used.
      .$if(isUnlimited === true, (query) => query.where(sql<boolean>`is_unlimited = 1`).where(...ANY_ID))
      .$if(isUnlimited === false, (query) => query.where(sql<boolean>`is_unlimited = 0`))
      .$if(ends !== undefined, (query) => query.where(endsSo(ends as SubscriptionEnds, along)))
      .$if(role !== undefined, (query) => query.where("role", "=", role as Role))
      .$if(seenSince !== undefined, (query) =>
        query.where("id", "in", (e) =>
          e
            .selectFrom("member_use")
            .select("member_id")
            .where("last_handshake_at", ">=", seenSince ?? 0),
        ),
      )
      .$if(unsettledIn !== undefined, (query) => query.where("settled_period", "<", unsettledIn ?? ""))
      .$if(among !== undefined, (query) => query.where("id", "in", among as Expression<string>))
      .$if(also !== undefined, (query) => query.where((also as MemberCondition).holds(sql`members.id`)))
  );
};

/**
 * For another feature's `where member_id in (…)`: the members that the asker may see, with or without VIP members. `text`: only those
 * with it in their names.
 */
export const visibleIds = (db: Db | Tx, withVip: boolean, text?: string) =>
  found(db, { text, state: "all", withVip }).select("id");

/** For another feature's `where member_id not in (…)`: the VIP members. They are few and have their own index. */
export const vipIds = (db: Db | Tx) => tables(db).selectFrom("members").select("id").where("is_vip", "=", sql.lit(1));

/**
 * For another feature's `select`: how many VIP members joined by the code with the id in this column. Deleted ones count, so that a
 * deletion does not show in the difference.
 */
export const vipJoinedBy = (codeId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select count(*) from members where members.invite_code_id = ${codeId} and members.is_vip = 1)`;

/** The same for other small groups of members, which have indexes (0061_payments_of_a_month.sql). */
export function idsOfKind(db: Db | Tx, kind: "deleted" | "vip" | "unlimited") {
  const ids = tables(db).selectFrom("members").select("id");
  if (kind === "deleted") return ids.where("deleted_at", "is not", null);
  const living = ids.where("deleted_at", "is", null);
  return living.where(kind === "vip" ? sql<boolean>`is_vip = 1` : sql<boolean>`is_unlimited = 1`).where(...ANY_ID);
}

/** For another feature's `order by`: when the subscription of the member with the id in this column ends; 0 if it has none. */
export const endOf = (memberId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(select ${END} from members where members.id = ${memberId})`;

/** Ids of at most `most` found members. */
export async function idsFound(db: Db, filter: MemberSearch, most: number): Promise<string[]> {
  const rows = await found(db, filter).select("id").limit(most).execute();
  return rows.map(({ id }) => id);
}

/** A page of found members, by id; `after` is the last id of the previous page. */
export async function foundAfter(db: Db | Tx, filter: MemberSearch, after: string | null, limit: number) {
  const rows = await found(db, filter)
    .select("id")
    .where("id", ">", after ?? "")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** For another feature's `where exists …`: whether the member with the id in this column is found. */
export const queryForFound = (db: Db, filter: MemberSearch, column: string) =>
  found(db, filter, { along: "name" }).select("id").where("id", "=", sql.ref<string>(column));

/** Members with their names, for a join. */
export const named = (db: Db | Tx) =>
  tables(db)
    .selectFrom("members")
    .select(["id", "username", "username_key", "display_name", "display_name_key", "is_vip"])
    .where("deleted_at", "is", null);

/** For another feature's `where`: members who may use the VPN at a moment (ms), by the entitlement rule. */
export const entitledIds = (db: Db | Tx, now: number, graceHours: number) =>
  tables(db).selectFrom("members").select("id").where(isEntitledAt(now, graceHours));

/** All other members, including deleted ones. Unknown counts as not entitled. */
export const unentitledIds = (db: Db | Tx, now: number, graceHours: number) =>
  tables(db)
    .selectFrom("members")
    .select("id")
    .where((e) => sql<boolean>`case when ${isEntitledAt(now, graceHours)(e)} then 0 else 1 end = 1`);

export const isEntitledAt = (now: number, graceHours: number) => (e: ExpressionBuilder<MemberTables, "members">) =>
  e.and([
    e("deleted_at", "is", null),
    e("is_active", "=", 1),
    e.or([
      e("is_unlimited", "=", 1),
      e.and([
        e.or([e("quota_used_up_until", "is", null), e("quota_used_up_until", "<=", now)]),
        e.or([e("subscription_end", ">", now - graceHours * HOUR_MS), e("referral_earned_at", "is not", null)]),
      ]),
    ]),
  ]);

/** Unlimited members' comes last. */
const END = sql<number>`case when is_unlimited = 1 then 9007199254740991 else coalesce(subscription_end, 0) end`;

/**
 * What orders a list: a key, then a value unique to each member. Each pair has an index with exactly these expressions
 * (0060_members_use.sql, 0250_members_by_display_name.sql).
 */
const KEYS: Record<MemberSort, { key: RawBuilder<string | number>; id: RawBuilder<string> }> = {
  name: { key: sql`members.display_name_key`, id: sql`members.username_key` },
  subscription: { key: END, id: sql`members.id` },
  createdAt: { key: sql`members.created_at`, id: sql`members.id` },
  lastHandshake: { key: sql`member_use.last_handshake_at`, id: sql`member_use.member_id` },
  monthBytes: { key: sql`member_use.month_bytes`, id: sql`member_use.member_id` },
};

const listed = (db: Db, filter: MemberSearch, how: { along?: MemberSort } = {}) =>
  found(db, filter, how)
    .innerJoin("member_use", "member_use.member_id", "members.id")
    .selectAll("members")
    .select(["last_handshake_at", "month_bytes"]);

/** The text as a whole login, if it can be one. */
function loginSought({ text = "" }: MemberSearch): string | null {
  const [word, ...more] = wordsSought(text);
  return more.length === 0 ? (word?.[0] ?? null) : null;
}

/** A page of members and where the next one begins; null after the last. */
export async function search(
  db: Db,
  filter: MemberSearch,
  { sort = "name", order = "asc", cursor, skip = 0, ...size }: MemberPage,
): Promise<PageOf<ListedRow>> {
  const { key, id } = KEYS[sort];
  const after = readCursor(cursor, sort === "name" ? "text" : "number");
  // If few members match, SQLite finds and then sorts them, instead of following a whole index in order. The index of names contains the
  // names itself and is followed.
  const isFew =
    filter.state === "blocked" ||
    (isNamed(filter) && sort !== "name") ||
    filter.isUnlimited === true ||
    (filter.ends !== undefined &&
      filter.ends.how !== "ended" &&
      !(filter.ends.how === "soon" && sort === "subscription")) ||
    (filter.role !== undefined && filter.role !== "user") ||
    filter.seenSince !== undefined ||
    filter.among !== undefined ||
    filter.also?.isFew === true ||
    (filter.unsettledIn !== undefined && (await areFewUnsettled(db, filter.unsettledIn)));
  // The member with exactly this login comes first in any order, and is left out of the rest. Alone on a page, they can be followed
  // only if nothing orders before them.
  const canLead = size.limit > 1 || (sort === "name" && order === "asc");
  const login = isNamed(filter) && canLead ? loginSought(filter) : null;
  const bearer =
    login === null ? undefined : await listed(db, filter).where("username_key", "=", login).executeTakeFirst();
  const isFirst = bearer !== undefined && after === undefined && skip === 0;
  const ordered = !isFew ? key : sort === "name" ? sql`${key} || ''` : sql`+${key}`;
  const beyond = order === "asc" ? sql`>` : sql`<`;
  const others = await listed(db, filter, { along: sort })
    .select([sql<string | number>`${key}`.as("sort_key"), sql<string>`${id}`.as("sort_id")])
    .$if(bearer !== undefined, (query) => query.where("members.username_key", "!=", login ?? ""))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(${key}, ${id}) ${beyond} (${after?.key}, ${after?.id})`),
    )
    .orderBy(ordered, order)
    .orderBy(id, order)
    .limit(rowsFor(size) - (isFirst ? 1 : 0))
    .offset(skip - (bearer !== undefined && after === undefined && !isFirst ? 1 : 0))
    .execute();
  const rows = isFirst ? [{ ...bearer, sort_key: "", sort_id: "" }, ...others] : others;
  return pageOf(rows, size, (last) => writeCursor(last.sort_key, last.sort_id));
}

/** Up to this many members, sorting is faster than following a whole index in order. */
export const FEW_MEMBERS = 2_000;

async function areFewUnsettled(db: Db, period: string): Promise<boolean> {
  const some = await tables(db)
    .selectFrom("members")
    .select("id")
    .where("deleted_at", "is", null)
    .where("settled_period", "<", period)
    .offset(FEW_MEMBERS)
    .limit(1)
    .executeTakeFirst();
  return some === undefined;
}

export async function count(db: Db, filter: MemberSearch): Promise<number> {
  const row = await found(db, filter)
    .select(({ fn }) => fn.countAll().as("members"))
    .executeTakeFirst();
  return Number(row?.members ?? 0);
}

/** How many joined, and how many subscriptions ended, from one moment up to another (ms), without members by referral. */
export async function countsOfSpan(
  db: Db,
  { from, until, withVip }: { from: number; until: number; withVip: boolean },
): Promise<{ joined: number; ended: number }> {
  const living = () =>
    tables(db)
      .selectFrom("members")
      .select(({ fn }) => fn.countAll().as("members"))
      .where("deleted_at", "is", null)
      .$if(!withVip, (query) => query.where(sql<boolean>`+is_vip = 0`));
  const [joined, ended] = await Promise.all([
    living().where("created_at", ">=", from).where("created_at", "<", until).executeTakeFirst(),
    living()
      .where("subscription_end", ">=", from)
      .where("subscription_end", "<", until)
      .where(sql<boolean>`+is_active = 1 and +is_unlimited = 0`)
      .where("referral_earned_at", "is", null)
      .executeTakeFirst(),
  ]);
  return { joined: Number(joined?.members ?? 0), ended: Number(ended?.members ?? 0) };
}

/** How many of the found members are active and how many blocked. */
export async function counts(
  db: Db,
  filter: Omit<MemberSearch, "state">,
): Promise<{ all: number; active: number; blocked: number }> {
  const row = await found(db, { ...filter, state: "all" })
    .select(({ fn }) => [fn.countAll().as("members"), fn.sum("is_active").as("active")])
    .executeTakeFirst();
  const [all, active] = [Number(row?.members ?? 0), Number(row?.active ?? 0)];
  return { all, active, blocked: all - active };
}
